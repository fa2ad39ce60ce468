package dev.ron.bench;

import com.softwaremill.jox.Channel;
import com.softwaremill.jox.Select;
import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Control;

/** Items from one or eight senders to one receiver, through our mailbox and through what one would use otherwise. */
@State(Scope.Group)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MailboxBench {
    private static final int CAPACITY = 512;
    private static final Integer ITEM = 1;
    private static final Duration WAIT = Duration.ofMillis(100);

    @Param({"mailbox", "array", "linked", "jox"})
    String queue = "mailbox";

    private Lane lane = new OurMailbox();

    /** What every contender can do: offer without waiting, take with waiting. */
    interface Lane {
        boolean offer(Integer item) throws InterruptedException;

        boolean take() throws InterruptedException;
    }

    @Setup
    public void open() {
        lane = switch (queue) {
            case "mailbox" -> new OurMailbox();
            case "array" -> new Blocking(new ArrayBlockingQueue<>(CAPACITY));
            case "linked" -> new Blocking(new LinkedBlockingQueue<>(CAPACITY));
            case "jox" -> new Jox();
            default -> throw new IllegalArgumentException(queue);
        };
    }

    @TearDown
    public void close() {
        lane = new OurMailbox();
    }

    @Benchmark
    @Group("one")
    @GroupThreads(1)
    public void sendOne(Control control) throws InterruptedException {
        send(control);
    }

    @Benchmark
    @Group("one")
    @GroupThreads(1)
    public boolean takeOne() throws InterruptedException {
        return lane.take();
    }

    @Benchmark
    @Group("eight")
    @GroupThreads(8)
    public void sendEight(Control control) throws InterruptedException {
        send(control);
    }

    @Benchmark
    @Group("eight")
    @GroupThreads(1)
    public boolean takeEight() throws InterruptedException {
        return lane.take();
    }

    private void send(Control control) throws InterruptedException {
        while (!lane.offer(ITEM) && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
    }

    private static final class OurMailbox implements Lane {
        private final Mailbox<Integer> box = new Mailbox<>(Topology.mailbox("bench", CAPACITY));
        private final Clock clock = Clock.system();

        @Override
        public boolean offer(Integer item) {
            return box.trySend(item) == Sent.ACCEPTED;
        }

        @Override
        public boolean take() {
            Optional<Delivery<Integer>> next = box.receive(Deadline.after(clock, WAIT));
            return next.isPresent();
        }
    }

    private record Blocking(BlockingQueue<Integer> items) implements Lane {
        @Override
        public boolean offer(Integer item) {
            return items.offer(item);
        }

        @Override
        public boolean take() throws InterruptedException {
            return items.poll(100, TimeUnit.MILLISECONDS) != null;
        }
    }

    /** Jox tries without waiting through a select with a default. */
    private static final class Jox implements Lane {
        private final Channel<Integer> channel = Channel.newBufferedChannel(CAPACITY);

        @Override
        public boolean offer(Integer item) throws InterruptedException {
            return Select.<Boolean>select(
                    channel.sendClause(item, () -> Boolean.TRUE), Select.defaultClause(Boolean.FALSE));
        }

        @Override
        public boolean take() throws InterruptedException {
            return Select.<Boolean>select(
                    channel.receiveClause(item -> Boolean.TRUE), Select.defaultClause(Boolean.FALSE));
        }
    }
}
