package dev.ron.kernel.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Threads of one test that start together; their failures are the test's. */
public final class Crew implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final CountDownLatch start = new CountDownLatch(1);

    /** What a member does. */
    public interface Work {
        void run() throws Exception;
    }

    /** Adds a platform thread, which waits for {@link #go}. */
    public Thread add(Work work) {
        return add(Thread.ofPlatform(), work);
    }

    public Thread addVirtual(Work work) {
        return add(Thread.ofVirtual(), work);
    }

    private Thread add(Thread.Builder builder, Work work) {
        Thread thread = builder.name("crew-" + threads.size()).start(() -> {
            try {
                awaitStart();
                work.run();
            } catch (Throwable failure) {
                failures.add(failure);
            }
        });
        threads.add(thread);
        return thread;
    }

    // A member may be interrupted before it starts, and then starts interrupted.
    private void awaitStart() {
        boolean interrupted = false;
        while (true) {
            try {
                start.await();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public Crew go() {
        start.countDown();
        return this;
    }

    /** Lets them run to their end. */
    public void finish() {
        go();
        for (Thread thread : threads) {
            Eventually.await(thread.getName() + " ends", () -> !thread.isAlive());
        }
        if (!failures.isEmpty()) {
            throw new AssertionError("a thread of the test failed", failures.getFirst());
        }
    }

    @Override
    public void close() {
        finish();
    }
}
