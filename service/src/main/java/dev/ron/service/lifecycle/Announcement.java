package dev.ron.service.lifecycle;

import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.service.bus.BusEvent;
import java.time.Duration;

/** The first stage of a shutdown: readiness has turned already; the services are told and balancers get time to notice. */
final class Announcement implements Drainable {
    private final Frame frame;

    Announcement(Frame frame) {
        this.frame = frame;
    }

    @Override
    public String name() {
        return "announcement";
    }

    @Override
    public Stage stage() {
        return Stage.ANNOUNCE;
    }

    @Override
    public boolean drain(Deadline deadline) {
        frame.bus().publish(new BusEvent.Shutdown());
        Duration wait = frame.settings().preStop().apply(frame.current());
        Deadline until = deadline.min(Deadline.after(frame.clock(), wait));
        while (!until.expired() && !Thread.currentThread().isInterrupted()) {
            frame.clock().park(this, until.atNanos());
        }
        return true;
    }

    @Override
    public int abort() {
        return 0;
    }
}
