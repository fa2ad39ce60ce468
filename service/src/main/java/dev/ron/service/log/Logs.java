package dev.ron.service.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnDrain;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The log of the process.
 *
 * <p>Before a writer task runs, and after it has ended, lines are written by whoever logs. In between they go through a
 * bounded queue that drops its oldest line when full: a slow terminal or pipe costs lines, never requests.
 */
public final class Logs {
    public static final MailboxSpec QUEUE = Topology.mailbox("log", 8192)
            .from("everyone")
            .to("log-writer")
            .onFull(OnFull.DROP_OLDEST)
            .onDrain(OnDrain.FINISH)
            .stage(Stage.OBSERVE);
    public static final TaskSpec WRITER = Topology.task("log-writer")
            .critical(TaskSpec.Criticality.SUPPORTING)
            .runner(TaskSpec.Runner.PLATFORM)
            .stage(Stage.OBSERVE)
            .does("writes log lines to stderr");

    private final OutputStream out;
    private volatile LogFormat format;
    private volatile @Nullable Mailbox<LogLine> queue;

    private Logs(LogFormat format, OutputStream out) {
        this.format = format;
        this.out = out;
    }

    /** Makes this the only log of the process. */
    public static Logs install(LogFormat format, String level, OutputStream out) {
        Logs logs = new Logs(format, out);
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        Appender appender = logs.new Appender();
        appender.setContext(context);
        appender.setName("ron");
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        logs.level(level);
        return logs;
    }

    /** Text for a person at a terminal, JSON for everything else. */
    public static LogFormat formatFor(boolean terminal) {
        return terminal ? LogFormat.TEXT : LogFormat.JSON;
    }

    /** One of trace, debug, info, warn, error. */
    public void level(String word) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.toLevel(word, Level.INFO));
        // Libraries have nothing to say to an operator below a warning.
        context.getLogger("io.netty").setLevel(Level.WARN);
    }

    public void format(LogFormat next) {
        format = next;
    }

    /** Has lines go through the queue from now on; {@link #write} must run. */
    public void attach(Mailbox<LogLine> mailbox) {
        queue = mailbox;
    }

    /** The body of the writer task. */
    public void write(TaskScope scope) throws IOException {
        Mailbox<LogLine> lines = queue;
        if (lines == null) {
            throw new IllegalStateException("attach a queue first");
        }
        while (true) {
            Optional<Delivery<LogLine>> next = lines.receive(Deadline.never(scope.clock()));
            if (next.isEmpty()) {
                out.flush();
                return;
            }
            emit(next.get().item());
            if (lines.depth() == 0) {
                out.flush();
            }
        }
    }

    private void emit(LogLine line) throws IOException {
        // One write call per line: lines of a direct writer and of the task never mix.
        out.write(format.write(line).getBytes(StandardCharsets.UTF_8));
    }

    private final class Appender extends UnsynchronizedAppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            LogLine line = LogLine.of(event);
            Mailbox<LogLine> lines = queue;
            if (lines == null || lines.trySend(line) == Sent.CLOSED) {
                try {
                    emit(line);
                    out.flush();
                } catch (IOException e) {
                    addError("log line lost", e);
                }
            }
        }
    }
}
