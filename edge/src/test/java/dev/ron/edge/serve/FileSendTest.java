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
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A file that is sent piece by piece pays for one piece at a time, and gets all of it back. */
@org.junit.jupiter.api.Timeout(60)
class FileSendTest {
    private static final long SPARE = 16 << 20;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final int PIECES = 4;
    private static final int QUEUE = 4;
    private static final byte[] BYTES = new byte[PIECES * FileSend.PIECE];

    private final VirtualClock clock = new VirtualClock();
    private final EventLoops loops = new EventLoops("send-test", 1, EventLoops.Transport.NIO, clock);
    private final EventLoop loop = loops.group().next();
    private final Supervisor supervisor =
            new Supervisor("edge", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, _ -> {});
    private final Lane lane = new Lane(Topology.lane("files", 1, QUEUE), supervisor, Meter.none());
    private final AtomicInteger outOfMemory = new AtomicInteger();
    private final Room room = new Room(0, new PooledByteBufAllocator(true) {
        @Override
        protected ByteBuf newDirectBuffer(int first, int most) {
            if (outOfMemory.getAndDecrement() > 0) {
                throw new OutOfMemoryError("Cannot reserve direct buffer memory");
            }
            return super.newDirectBuffer(first, most);
        }
    });
    private final Caller caller = new Caller();
    private final AtomicBoolean unpaid = new AtomicBoolean();
    private final AtomicLong cutOff = new AtomicLong();

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
        private volatile boolean cut;
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
            cut = true;
            end();
        }

        void takes() {
            room = true;
            listener.run();
        }
    }

    private Exchange exchange(Caller caller) {
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
        send(caller);
    }

    private void send(Caller to) {
        new FileSend(
                        exchange(to),
                        file(),
                        new FileSend.Means(lane, room, LONGEST, cutOff::addAndGet),
                        List.of(new FileSend.Segment.Span(0, BYTES.length)),
                        to,
                        _ -> {})
                .start();
    }

    private void onLoop(Runnable step) throws Exception {
        loop.submit(step).get();
    }

    /** All timers that are due have gone off, and what they began is written. */
    private void aSecondPasses() throws Exception {
        aSecondPassesOnTheLoop();
        lane.call(Deadline.after(Clock.system(), Duration.ofMinutes(1)), () -> 0);
        onLoop(() -> {});
    }

    private void aSecondPassesOnTheLoop() throws Exception {
        AtomicInteger rung = new AtomicInteger();
        onLoop(() -> new Timeout(loops.timers(loop)) {
            @Override
            protected void expired() {
                rung.incrementAndGet();
            }
        }.after(SECOND.toNanos()));
        clock.advance(SECOND);
        Eventually.await("the timers have gone off", () -> rung.get() == 1);
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
        assertThat(caller.cut).isFalse();
        assertAllWasPaidAndGivenBack();
    }

    // no room | the longest wait passes  ->  cut off and counted; room that comes then is nobody's
    @Test
    void whoGetsNoRoomIsCutOff() throws Exception {
        assertThat(room.tryTake(SPARE)).isTrue();
        onLoop(this::send);
        for (int i = 0; i < 4; i++) {
            aSecondPasses();
        }
        assertThat(caller.cut).isFalse();
        aSecondPasses();
        aSecondPasses();
        assertThat(caller.cut).isTrue();
        assertThat(caller.pieces).hasValue(0);
        assertThat(cutOff).hasValue(1);
        room.giveBack(SPARE);
        onLoop(() -> {});
        assertAllWasPaidAndGivenBack();
    }

    // a pool that takes nothing | the longest wait passes  ->  cut off and counted, however often it was tried
    @Test
    void whoGetsNoThreadIsCutOff() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Callable<Boolean> held = () -> release.await(1, TimeUnit.MINUTES);
        lane.submit(held);
        Eventually.await("the thread is held", () -> lane.jobs().depth() == 0);
        for (int i = 0; i < QUEUE; i++) {
            lane.submit(held);
        }
        onLoop(this::send);
        for (int i = 0; i < 4; i++) {
            aSecondPassesOnTheLoop();
        }
        assertThat(caller.cut).isFalse();
        aSecondPassesOnTheLoop();
        aSecondPassesOnTheLoop();
        boolean cut = caller.cut;
        release.countDown();
        assertThat(cut).isTrue();
        assertThat(cutOff).hasValue(1);
        assertAllWasPaidAndGivenBack();
    }

    // a pool that takes nothing | its caller has no room either, for the longest wait | there is no room for a piece
    // ->  that is a new wait, and has an end too
    @Test
    void aWaitThatBeginsAfterAnotherHasAnEndToo() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Callable<Boolean> held = () -> release.await(1, TimeUnit.MINUTES);
        lane.submit(held);
        Eventually.await("the thread is held", () -> lane.jobs().depth() == 0);
        for (int i = 0; i < QUEUE; i++) {
            lane.submit(held);
        }
        onLoop(() -> {
            send();
            caller.room = false;
        });
        for (int i = 0; i < 6; i++) {
            aSecondPassesOnTheLoop();
        }
        boolean cutMeanwhile = caller.cut;
        boolean full = room.tryTake(SPARE);
        onLoop(caller::takes);
        for (int i = 0; i < 6; i++) {
            aSecondPassesOnTheLoop();
        }
        release.countDown();
        assertThat(cutMeanwhile)
                .as("the caller's pace is the connection's concern")
                .isFalse();
        assertThat(full).isTrue();
        assertThat(caller.cut).isTrue();
        assertThat(cutOff).hasValue(1);
        room.giveBack(SPARE);
        assertAllWasPaidAndGivenBack();
    }

    // others of the process hold all memory outside the heap  ->  tried again, and the thread lives
    @Test
    void whereThereIsNoMemoryForAPieceItWaits() throws Exception {
        outOfMemory.set(2);
        caller.roomWithinWrite = true;
        onLoop(this::send);
        for (int i = 0; i < 3; i++) {
            aSecondPasses();
        }
        assertThat(outOfMemory).hasNonPositiveValue();
        Eventually.await("all is sent", () -> caller.ended);
        assertThat(caller.pieces).hasValue(PIECES);
        assertThat(caller.cut).isFalse();
        assertAllWasPaidAndGivenBack();
    }

    // no room | its caller leaves | room comes for the next  ->  the turn of who left is the next one's
    @Test
    void whoLeavesGivesItsTurnAway() throws Exception {
        assertThat(room.tryTake(SPARE)).isTrue();
        Caller next = new Caller();
        onLoop(() -> {
            send();
            send(next);
            caller.end();
            room.giveBack(SPARE);
        });
        Eventually.await("the next one is sent a piece", () -> next.pieces.get() == 1);
        onLoop(next::end);
        assertThat(caller.pieces).hasValue(0);
        assertAllWasPaidAndGivenBack();
    }

    // room for one piece | two senders, each taken from as soon as it sends  ->  they advance in turn
    @Test
    void sendersShareTheRoomInTurn() throws Exception {
        assertThat(room.tryTake(SPARE / 2 - FileSend.PIECE)).isTrue();
        Caller other = new Caller();
        onLoop(() -> {
            send();
            send(other);
        });
        for (int i = 1; i < PIECES; i++) {
            int pieces = i;
            Eventually.await("it has so many pieces", () -> caller.pieces.get() == pieces);
            onLoop(caller::takes);
            Eventually.await("so has the other", () -> other.pieces.get() == pieces);
            assertThat(caller.pieces).as("its next one waits for the other's").hasValue(pieces);
            onLoop(other::takes);
        }
        Eventually.await("the last piece", () -> caller.pieces.get() == PIECES);
        onLoop(caller::takes);
        Eventually.await("the other's last piece", () -> other.pieces.get() == PIECES);
        onLoop(other::takes);
        assertThat(caller.ended && other.ended).isTrue();
        assertThat(caller.cut || other.cut).isFalse();
        room.giveBack(SPARE / 2 - FileSend.PIECE);
        assertAllWasPaidAndGivenBack();
    }

    // a piece that is not taken | another waits  ->  the holder is cut off first, and the other is sent all
    @Test
    void aPieceIsLentForHalfTheTimeWhileOthersWait() throws Exception {
        assertThat(room.tryTake(SPARE / 2 - FileSend.PIECE)).isTrue();
        Caller other = new Caller();
        other.roomWithinWrite = true;
        onLoop(this::send);
        Eventually.await("it holds its piece", () -> caller.pieces.get() == 1);
        for (int i = 0; i < 6; i++) {
            aSecondPasses(); // nobody waits: the pace of its connection is not this one's concern
        }
        assertThat(caller.cut).isFalse();
        onLoop(() -> send(other));
        for (int i = 0; i < 4; i++) {
            aSecondPasses();
        }
        assertThat(caller.cut).isTrue();
        Eventually.await("the other is sent all", () -> other.ended);
        assertThat(other.cut).isFalse();
        assertThat(other.pieces).hasValue(PIECES);
        assertThat(cutOff).hasValue(1);
        room.giveBack(SPARE / 2 - FileSend.PIECE);
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
        while (room.takePiece(FileSend.PIECE, () -> {}) == Room.NONE) {
            pieces++;
        }
        assertThat(pieces * (long) FileSend.PIECE).isEqualTo(SPARE / 2);
        assertThat(room.tryTake(SPARE / 2)).isTrue();
        assertThat(room.tryTake(1)).isFalse();
    }
}
