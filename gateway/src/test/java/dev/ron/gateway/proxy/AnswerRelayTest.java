package dev.ron.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.coding.Compression;
import dev.ron.gateway.tenant.BufferBudget;
import dev.ron.http.client.stream.Pausable;
import dev.ron.http.client.stream.ResponseHead;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.ResponseStream;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much of an answer is kept for a caller that does not take it, and when the upstream is slowed down. */
class AnswerRelayTest {
    private static final int PIECE = 16 << 10;

    private final Caller caller = new Caller();
    private final Source source = new Source();
    private final Upstream upstream = new Upstream();
    private final BufferBudget budget = new BufferBudget();
    private final BufferBudget tenant = new BufferBudget();
    private final AnswerRelay relay = relay(1 << 20);

    /** A caller's side that takes pieces only when the test says so. */
    private static final class Caller implements ResponseStream {
        private final List<Integer> taken = new ArrayList<>();
        private boolean room;
        private boolean ended;
        private boolean aborted;

        @Override
        public boolean write(ByteBuf piece) {
            taken.add(piece.readableBytes());
            piece.release();
            return room;
        }

        @Override
        public boolean writable() {
            return room;
        }

        @Override
        public void onWritable(Runnable listener) {}

        @Override
        public void end() {
            ended = true;
        }

        @Override
        public void abort() {
            aborted = true;
        }

        int bytes() {
            return taken.stream().mapToInt(Integer::intValue).sum();
        }
    }

    /** The upstream's side. */
    private static final class Source implements Pausable {
        private boolean paused;

        @Override
        public void pause() {
            paused = true;
        }

        @Override
        public void resume() {
            paused = false;
        }
    }

    /** What is said of the upstream. */
    private static final class Upstream implements AnswerRelay.Watch {
        private int pauses;
        private boolean free;

        @Override
        public void paused() {
            pauses++;
        }

        @Override
        public void free() {
            free = true;
        }
    }

    private AnswerRelay relay(long limit) {
        return new AnswerRelay(exchange(caller), source, upstream, new AnswerRelay.Room(budget, tenant, limit));
    }

    private static Exchange exchange(ResponseStream stream) {
        return (Exchange) Proxy.newProxyInstance(
                Exchange.class.getClassLoader(), new Class<?>[] {Exchange.class}, (self, method, args) -> {
                    if (method.getName().equals("start")) {
                        return stream;
                    }
                    throw new AssertionError(
                            "the relay needs no more of an exchange than its stream, but asks for " + method);
                });
    }

    private void begin() {
        begin(relay);
    }

    private static void begin(AnswerRelay one) {
        one.begin(
                new ResponseHead(200, Headers.NONE, ResponseHead.UNKNOWN, false, 0),
                Compression.Plan.plain(Headers.NONE));
    }

    private void piece() {
        piece(relay);
    }

    private static void piece(AnswerRelay one) {
        one.piece(Unpooled.buffer(PIECE).writeZero(PIECE));
    }

    @Test
    void aFullCallerDoesNotSlowTheUpstreamDownUntilTheBoundIsReached() {
        begin();
        int held = 0;
        while (!source.paused) {
            piece();
            held += PIECE;
            assertThat(held).isLessThanOrEqualTo(AnswerRelay.MOST_HELD);
        }
        assertThat(held).isEqualTo(AnswerRelay.MOST_HELD);
        assertThat(caller.taken).isEmpty();
        relay.release();
    }

    @Test
    void theUpstreamMayFinishWhileTheAnswerWaits() {
        begin();
        for (int i = 0; i < 4; i++) {
            piece();
        }
        relay.end(dev.ron.http.message.Headers.NONE);
        assertThat(source.paused).isFalse();
        assertThat(caller.ended).as("the caller has not got all").isFalse();
        assertThat(upstream.free).isTrue();
        assertThat(budget.held()).isEqualTo(4 * PIECE);
        caller.room = true;
        relay.run();
        assertThat(caller.bytes()).isEqualTo(4 * PIECE);
        assertThat(caller.ended).isTrue();
        assertThat(budget.held()).isZero();
    }

    // room for eight pieces, all held for others | a piece  ->  the upstream is paused, and not free until it is out
    @Test
    void whatHasNoRoomAmongAllKeepsTheUpstreamUntilItIsOut() {
        assertThat(budget.tryTake(8 * PIECE, 8 * PIECE)).isTrue();
        AnswerRelay late = relay(8 * PIECE);
        begin(late);
        piece(late);
        assertThat(source.paused).isTrue();
        assertThat(upstream.pauses).isEqualTo(1);
        late.end(Headers.NONE);
        assertThat(upstream.free).isFalse();
        assertThat(late.paused()).as("its caller must keep a pace").isTrue();
        caller.room = true;
        late.run();
        assertThat(upstream.free).isTrue();
        assertThat(caller.ended).isTrue();
        assertThat(budget.held()).isEqualTo(8 * PIECE);
        assertThat(tenant.held()).isZero();
    }

    // room for eight pieces, a tenant has its quarter of it | one more of it, one of another  ->  only the first waits
    @Test
    void aTenantThatHoldsItsPartLeavesTheRestToOthers() {
        AnswerRelay first = relay(8 * PIECE);
        begin(first);
        piece(first);
        piece(first);
        assertThat(source.paused).isFalse();
        Source another = new Source();
        AnswerRelay ofAnother = new AnswerRelay(
                exchange(caller), another, upstream, new AnswerRelay.Room(budget, new BufferBudget(), 8 * PIECE));
        begin(ofAnother);
        piece(ofAnother);
        assertThat(another.paused).isFalse();
        AnswerRelay second = relay(8 * PIECE);
        begin(second);
        piece(second);
        assertThat(source.paused).isTrue();
        first.release();
        second.release();
        ofAnother.release();
        assertThat(budget.held()).isZero();
        assertThat(tenant.held()).isZero();
    }

    @Test
    void theUpstreamGoesOnWhenTheCallerHasTakenMostOfIt() {
        begin();
        for (int i = 0; i < AnswerRelay.MOST_HELD / PIECE; i++) {
            piece();
        }
        assertThat(source.paused).isTrue();
        caller.room = true;
        relay.run();
        assertThat(source.paused).isFalse();
        assertThat(caller.bytes()).isEqualTo(AnswerRelay.MOST_HELD);
    }

    @Test
    void anAnswerThatBreaksOffIsCut() {
        begin();
        piece();
        relay.broken(new RonException(Code.UPSTREAM_PARSE, "test"));
        assertThat(caller.aborted).isTrue();
        assertThat(caller.ended).isFalse();
        relay.release();
    }
}
