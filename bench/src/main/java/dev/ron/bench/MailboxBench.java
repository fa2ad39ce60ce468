package dev.ron.bench;

import com.softwaremill.jox.Channel;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Items from one or eight senders to one receiver, through our mailbox and through what one would use otherwise.
 *
 * <p>Every contender uses its own way to wait. A mailbox never waits to send: its sender gives its core away and tries
 * again, where real senders would refuse the request.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MailboxBench {
    private static final int CAPACITY = 512;
    private static final int ITEMS = 400_000;

    @Param({"mailbox", "array", "linked", "jox"})
    public String queue = "mailbox";

    @Param({"virtual", "platform"})
    public String threads = "virtual";

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void one() throws InterruptedException {
        transfer(1);
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void eight() throws InterruptedException {
        transfer(8);
    }

    /** A queue as this bench uses it. */
    private interface Lane {
        void send(Integer item) throws InterruptedException;

        Object take() throws InterruptedException;
    }

    /** Something that may be interrupted. */
    private interface Work {
        void run() throws InterruptedException;
    }

    private void transfer(int senders) throws InterruptedException {
        Lane lane = open();
        int each = ITEMS / senders;
        List<Thread> all = new ArrayList<>();
        // The receiver first: senders that only yield keep the carriers for ever from a virtual thread that has not
        // begun.
        CountDownLatch begun = new CountDownLatch(1);
        all.add(start(() -> {
            begun.countDown();
            for (int i = 0; i < each * senders; i++) {
                lane.take();
            }
        }));
        begun.await();
        for (int s = 0; s < senders; s++) {
            all.add(start(() -> {
                for (int i = 0; i < each; i++) {
                    lane.send(i);
                }
            }));
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    private Thread start(Work work) {
        Thread.Builder builder = "virtual".equals(threads) ? Thread.ofVirtual() : Thread.ofPlatform();
        return builder.start(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private Lane open() {
        return switch (queue) {
            case "mailbox" -> new OurMailbox(new Mailbox<>(Topology.mailbox("bench", CAPACITY)));
            case "array" -> new Blocking(new ArrayBlockingQueue<>(CAPACITY));
            case "linked" -> new Blocking(new LinkedBlockingQueue<>(CAPACITY));
            case "jox" -> new Jox(Channel.newBufferedChannel(CAPACITY));
            default -> throw new IllegalArgumentException(queue);
        };
    }

    private record OurMailbox(Mailbox<Integer> box) implements Lane {
        private static final Deadline NEVER = Deadline.never(Clock.system());

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // see above: this is how it waits
        public void send(Integer item) {
            while (box.trySend(item) != Sent.ACCEPTED) {
                Thread.yield();
            }
        }

        @Override
        public Object take() {
            return box.receive(NEVER);
        }
    }

    private record Blocking(BlockingQueue<Integer> items) implements Lane {
        @Override
        public void send(Integer item) throws InterruptedException {
            items.put(item);
        }

        @Override
        public Object take() throws InterruptedException {
            return items.take();
        }
    }

    private record Jox(Channel<Integer> channel) implements Lane {
        @Override
        public void send(Integer item) throws InterruptedException {
            channel.send(item);
        }

        @Override
        public Object take() throws InterruptedException {
            return channel.receive();
        }
    }
}
