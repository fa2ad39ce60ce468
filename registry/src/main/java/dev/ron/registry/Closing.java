package dev.ron.registry;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.registry.task.Checkpointer;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the registry does when the process stops: wakes waiting readers at once, remembers its head and closes its files last. */
final class Closing {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private final Watch.Writer<Long> heads;
    private final Checkpointer checkpointer;
    private final LogFolder folder;

    Closing(Watch.Writer<Long> heads, Checkpointer checkpointer, LogFolder folder) {
        this.heads = heads;
        this.checkpointer = checkpointer;
        this.folder = folder;
    }

    void registerWith(Shutdown shutdown) {
        shutdown.register(new Step("registry/readers", Stage.LISTENERS, this::wake));
        shutdown.register(new Step("registry/files", Stage.OBSERVE, this::closeFiles));
    }

    private boolean wake() {
        heads.close();
        return true;
    }

    private boolean closeFiles() {
        checkpointer.remember();
        try {
            folder.close();
        } catch (IOException e) {
            LOG.warn("the log did not close: {}", e.toString());
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
