package dev.ron.bench.registry;

import dev.ron.bench.side.Wire;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Callers side by side, each on a connection and a thread of its own: a platform thread, which the answer itself wakes
 * without anything in between.
 */
final class Clients {
    private Clients() {}

    /** What one caller does; it puts the time of each of its calls into the queue. */
    @FunctionalInterface
    interface Work {
        void run(Wire wire, ConcurrentLinkedQueue<Long> times) throws Exception;
    }

    static Result run(int count, int port, Work work) throws Exception {
        ConcurrentLinkedQueue<Long> times = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Exception> failed = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(count);
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Thread.ofPlatform().daemon().start(() -> {
                try (Wire wire = new Wire(port)) {
                    work.run(wire, times);
                } catch (Exception e) {
                    failed.add(e);
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        if (!failed.isEmpty()) {
            throw failed.remove();
        }
        return new Result(
                times.size(),
                System.nanoTime() - start,
                0,
                times.stream().sorted().toList());
    }
}
