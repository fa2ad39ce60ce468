package dev.ron.kernel.task;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a task has opened and will close, last opened first; each is closed once, by the task or by its abort. */
final class Owned {
    private static final Logger LOG = LoggerFactory.getLogger(Owned.class);

    private final String owner;
    private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();

    Owned(String owner) {
        this.owner = owner;
    }

    void add(AutoCloseable resource) {
        open.addFirst(resource);
    }

    void closeAll() {
        for (AutoCloseable resource = open.poll(); resource != null; resource = open.poll()) {
            try {
                resource.close();
            } catch (Exception e) {
                LOG.warn("task {} could not close {}", owner, resource, e);
            }
        }
    }
}
