package dev.ron.kernel.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.call.Reply;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class GuardedTest {
    private static final Deadline NOW = Deadline.after(Clock.system(), Duration.ZERO);

    private final Guarded<int[]> outer = new Guarded<>(Topology.lock("state_meta", 1), new int[1]);
    private final Guarded<int[]> inner = new Guarded<>(Topology.lock("counters", 3), new int[1]);

    /** An event loop's thread. */
    private static final class Loop extends Thread implements NonBlockingThread {
        private @Nullable Throwable failure;

        Loop(Crew.Work work) {
            super("loop-1");
            setUncaughtExceptionHandler((thread, e) -> failure = e);
            this.work = work;
        }

        private final Crew.Work work;

        @Override
        public void run() {
            try {
                work.run();
            } catch (Exception e) {
                failure = e;
            }
        }
    }

    /** Every kernel call that may wait. */
    private enum Point {
        MAILBOX_RECEIVE {
            @Override
            void run() {
                new Mailbox<>(Topology.mailbox("work", 1)).receive(NOW);
            }
        },
        WATCH_AWAIT {
            @Override
            void run() {
                Watch.of(1).watch().awaitNewerThan(1, NOW);
            }
        },
        BROADCAST_RECEIVE {
            @Override
            void run() {
                try (var reader = new Broadcast<>(Topology.broadcast("events", 2)).subscribe("r")) {
                    reader.receive(NOW);
                }
            }
        },
        PERMITS_ACQUIRE {
            @Override
            void run() {
                new Permits("inflight", 1).acquire(NOW);
            }
        },
        REPLY_AWAIT {
            @Override
            void run() {
                Reply<Integer> reply = new Reply<>();
                reply.complete(1);
                reply.await(NOW);
            }
        };

        abstract void run();
    }

    @Test
    void onlyOneThreadIsInside() {
        try (Crew crew = new Crew()) {
            for (int t = 0; t < 4; t++) {
                crew.add(() -> {
                    for (int i = 0; i < 5_000; i++) {
                        outer.with(state -> state[0]++);
                    }
                });
            }
        }
        assertThat(outer.<Integer>with(state -> state[0])).isEqualTo(20_000);
    }

    @Test
    void locksAreTakenInTheOrderOfTheirRanks() {
        assertThat(outer.<Integer>with(a -> inner.<Integer>with(b -> a[0] + b[0])))
                .isZero();
        assertThatThrownBy(() -> inner.with(b -> outer.with(a -> a[0])))
                .isInstanceOf(LockViolations.Broken.class)
                .hasMessageContaining("counters before state_meta");
    }

    @Test
    void aLockIsNotTakenTwice() {
        assertThatThrownBy(() -> outer.with(a -> outer.with(b -> b[0]))).isInstanceOf(LockViolations.Broken.class);
    }

    @Test
    void nothingIsHeldAfterAnException() {
        assertThatThrownBy(() -> outer.with(a -> inner.with(b -> {
                    throw new IllegalArgumentException("body");
                })))
                .isInstanceOf(IllegalArgumentException.class);
        Blocking.enter("after");
        assertThat(outer.<Integer>with(state -> state[0])).isZero();
        try (Crew crew = new Crew()) {
            crew.add(() -> inner.with(state -> state[0]++));
        }
    }

    @TestFactory
    java.util.stream.Stream<DynamicTest> noWaitWhileALockIsHeld() {
        return java.util.stream.Stream.of(Point.values())
                .map(point -> DynamicTest.dynamicTest(point.name(), () -> {
                    point.run();
                    assertThatThrownBy(() -> outer.with(state -> {
                                point.run();
                                return state;
                            }))
                            .isInstanceOf(LockViolations.Broken.class)
                            .hasMessageContaining("state_meta");
                }));
    }

    @TestFactory
    java.util.stream.Stream<DynamicTest> noWaitOnAnEventLoop() {
        return java.util.stream.Stream.of(Point.values())
                .map(point -> DynamicTest.dynamicTest(point.name(), () -> {
                    Loop loop = new Loop(point::run);
                    loop.start();
                    loop.join();
                    assertThat(loop.failure)
                            .isInstanceOf(Blocking.Refused.class)
                            .hasMessageContaining("loop-1");
                }));
    }

    @Test
    void whatNeverWaitsMayRunOnAnEventLoop() throws Exception {
        AtomicReference<@Nullable Object> sent = new AtomicReference<>();
        Loop loop = new Loop(() -> {
            Mailbox<Integer> box = new Mailbox<>(Topology.mailbox("work", 1));
            sent.set(box.trySend(1));
            box.tryReceive();
            new Permits("inflight", 1).tryAcquire();
        });
        loop.start();
        loop.join();
        assertThat(loop.failure).isNull();
        assertThat(sent.get()).isNotNull();
    }
}
