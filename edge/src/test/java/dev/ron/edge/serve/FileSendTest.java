package dev.ron.edge.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.cas.Blob;
import dev.ron.edge.digest.Blake3;
import dev.ron.edge.digest.Digest;
import dev.ron.edge.range.EntityTag;
import dev.ron.edge.range.Representation;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.loop.Timeout;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.ResponseStream;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.task.Supervisor;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A file that is sent piece by piece pays for one piece at a time, and gets all of it back. */
@org.junit.jupiter.api.Timeout(60)
class FileSendTest {
    private static final long SPARE = 16 << 20;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int PIECES = 4;
    private static final byte[] BYTES = new byte[PIECES * FileSend.PIECE];

    private final VirtualClock clock = new VirtualClock();
    private final EventLoops loops = new EventLoops("send-test", 1, EventLoops.Transport.NIO, clock);
    private final EventLoop loop = loops.group().next();
    private final Supervisor supervisor =
            new Supervisor("edge", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, _ -> {});
    private final Lane lane = new Lane(Topology.lane("files", 1, 4), supervisor, Meter.none());
    private final Room room = new Room(0);
    private final Caller caller = new Caller();
    private final AtomicBoolean unpaid = new AtomicBoolean();

    @AfterEach
    void stop() {
        loops.close();
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        assertThat(supervisor.join(Stage.WATCHERS, Deadline.after(Clock.system(), Duration.ofMinutes(1))))
                .isTrue();
    }

    /** Takes pieces when the test says so; what it does, it does on the loop. */
    private static final class Caller implements ResponseStream {
        private final AtomicInteger pieces = new AtomicInteger();
        private volatile boolean ended;
        private boolean room = true;
        private boolean roomWithinWrite;
        private Runnable listener = () -> {};
        private Runnable over = () -> {};

        @Override
        public boolean write(ByteBuf piece) {
            piece.release();
            pieces.incrementAndGet();
            if (roomWithinWrite) {
                listener.run();
            } else {
                room = false;
            }
            return room;
        }

        @Override
        public boolean writable() {
            return room;
        }

        @Override
        public void onWritable(Runnable told) {
            listener = told;
        }

        @Override
        public void end() {
            ended = true;
            over.run();
        }

        @Override
        public void abort() {
            throw new AssertionError("nothing is wrong with the file");
        }

        void takes() {
            room = true;
            listener.run();
        }
    }

    private Exchange exchange() {
        return (Exchange) Proxy.newProxyInstance(
                Exchange.class.getClassLoader(),
                new Class<?>[] {Exchange.class},
                (self, method, args) -> switch (method.getName()) {
                    case "loop" -> loop;
                    case "timers" -> loops.timers(loop);
                    case "over" -> caller.ended;
                    case "onOver" -> {
                        caller.over = (Runnable) args[0];
                        yield null;
                    }
                    default -> throw new AssertionError("a file needs no " + method + " to be sent");
                });
    }

    private ServedFile file() {
        Digest digest = Blake3.hash(BYTES);
        Blob blob = new Blob() {
            @Override
            public Digest digest() {
                return digest;
            }

            @Override
            public long size() {
                return BYTES.length;
            }

            @Override
            public void read(long offset, ByteBuffer into) {
                if (room.tryTake(SPARE)) {
                    unpaid.set(true);
                    room.giveBack(SPARE);
                }
                into.put(BYTES, (int) offset, into.remaining());
            }

            @Override
            public void close() {}
        };
        Representation is = new Representation(BYTES.length, EntityTag.ofContent(digest), Optional.empty());
        return new ServedFile(new Entity("text/plain", "", false, is, "no-store"), blob, Clock.system());
    }

    private void send() {
        new FileSend(
                        exchange(),
                        file(),
                        lane,
                        room,
                        List.of(new FileSend.Segment.Span(0, BYTES.length)),
                        caller,
                        _ -> {})
                .start();
    }

    private void onLoop(Runnable step) throws Exception {
        loop.submit(step).get();
    }

    /** All timers that are due have gone off, and what they began is written. */
    private void aSecondPasses() throws Exception {
        AtomicInteger rung = new AtomicInteger();
        onLoop(() -> new Timeout(loops.timers(loop)) {
            @Override
            protected void expired() {
                rung.incrementAndGet();
            }
        }.after(SECOND.toNanos()));
        clock.advance(SECOND);
        Eventually.await("the timers have gone off", () -> rung.get() == 1);
        lane.call(Deadline.after(Clock.system(), Duration.ofMinutes(1)), () -> 0);
        onLoop(() -> {});
    }

    private void assertAllWasPaidAndGivenBack() {
        assertThat(unpaid).isFalse();
        assertThat(room.tryTake(1)).isTrue();
        assertThat(room.tryTake(SPARE - 1)).as("all the rest").isTrue();
    }

    // a file that waits for room | its caller is told of room before that  ->  one piece at a time, and none unpaid
    @Test
    void aFileThatWaitsForRoomGoesOnOnce() throws Exception {
        assertThat(room.tryTake(SPARE)).isTrue();
        onLoop(() -> {
            send();
            room.giveBack(SPARE);
            caller.takes(); // of others: it has been sent nothing yet
        });
        lane.call(Deadline.after(Clock.system(), Duration.ofMinutes(1)), () -> 0);
        onLoop(() -> {});
        aSecondPasses();
        assertThat(caller.pieces).hasValue(1);
        onLoop(caller.listener); // still of others
        aSecondPasses();
        assertThat(caller.pieces).hasValue(1);
        while (!caller.ended) {
            onLoop(caller::takes);
            aSecondPasses();
        }
        assertThat(caller.pieces).hasValue(PIECES);
        assertAllWasPaidAndGivenBack();
    }

    // a caller that takes each piece while it is written  ->  the next one is paid for too
    @Test
    void roomWithinAWriteBeginsNoPieceThere() throws Exception {
        caller.roomWithinWrite = true;
        onLoop(this::send);
        Eventually.await("it is sent", () -> caller.ended);
        onLoop(() -> {});
        assertThat(caller.pieces).hasValue(PIECES);
        assertAllWasPaidAndGivenBack();
    }

    // pieces that nobody takes  ->  half of the spare room stays for new objects
    @Test
    void piecesLeaveRoomForNewObjects() {
        int pieces = 0;
        while (room.tryTakePiece(FileSend.PIECE)) {
            pieces++;
        }
        assertThat(pieces * (long) FileSend.PIECE).isEqualTo(SPARE / 2);
        assertThat(room.tryTake(SPARE / 2)).isTrue();
        assertThat(room.tryTake(1)).isFalse();
    }
}
