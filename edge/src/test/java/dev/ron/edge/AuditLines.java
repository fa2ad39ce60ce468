package dev.ron.edge;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the audit log is told while this is open. */
public final class AuditLines implements AutoCloseable {
    private final Logger audit = (Logger) LoggerFactory.getLogger("audit");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            before.run();
            lines.add(event.getFormattedMessage());
        }
    };
    private final Runnable before;

    public AuditLines() {
        this(() -> {});
    }

    /** @param before what the writer of a line has to do first, such as to wait */
    AuditLines(Runnable before) {
        this.before = before;
        audit.setLevel(Level.INFO);
        appender.start();
        audit.addAppender(appender);
    }

    public List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        audit.detachAppender(appender);
        audit.setLevel(null);
    }
}
