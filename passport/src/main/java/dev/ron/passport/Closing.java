package dev.ron.passport;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.passport.office.Registrar;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the office does when the process stops: wakes waiting readers, limits what is left, and closes its files last. */
final class Closing {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private final Clock clock;
    private final Supplier<Duration> drainDeadline;
    private final Watch.Writer<Long> news;
    private final Registrar registrar;
    private volatile Deadline limit;

    Closing(Clock clock, Supplier<Duration> drainDeadline, Watch.Writer<Long> news, Registrar registrar) {
        this.clock = clock;
        this.drainDeadline = drainDeadline;
        this.news = news;
        this.registrar = registrar;
        this.limit = Deadline.never(clock);
    }

    /** Until when queued work may be finished: {@code passport.drain_deadline} after the stop began. */
    Deadline limit() {
        return limit;
    }

    void registerWith(Shutdown shutdown) {
        shutdown.register(new Step("passport/readers", Stage.LISTENERS, this::begin));
        shutdown.register(new Step("passport/files", Stage.PUBLISHERS, this::closeFiles));
    }

    private boolean begin() {
        limit = limit.min(Deadline.after(clock, drainDeadline.get()));
        news.close();
        return true;
    }

    private boolean closeFiles() {
        try {
            registrar.close();
        } catch (IOException e) {
            LOG.warn("the journal did not close: {}", e.toString());
        }
        return true;
    }

    private record Step(String name, Stage stage, BooleanSupplier action) implements Drainable {
        @Override
        public boolean drain(Deadline deadline) {
            return action.getAsBoolean();
        }

        @Override
        public int abort() {
            return 0;
        }
    }
}
