package dev.ron.http.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.sync.Blocking;
import dev.ron.kernel.sync.NonBlockingThread;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(NoLeaks.class)
class EventLoopsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @ParameterizedTest
    @EnumSource(EventLoops.Transport.class)
    void loopThreadsAreNamedAndRefuseToBlock(EventLoops.Transport transport) throws Exception {
        Permits permits = new Permits("p", 1);
        try (EventLoops loops = new EventLoops("bytes", 2, transport, Clock.system())) {
            Set<String> names = new HashSet<>();
            for (int i = 0; i < 2; i++) {
                loops.group()
                        .next()
                        .submit(() -> {
                            assertThat(Thread.currentThread()).isInstanceOf(NonBlockingThread.class);
                            names.add(Thread.currentThread().getName());
                            assertThatThrownBy(() -> permits.acquire(Deadline.after(Clock.system(), LONG)))
                                    .isInstanceOf(Blocking.Refused.class);
                        })
                        .get(30, TimeUnit.SECONDS);
            }
            assertThat(names).containsExactlyInAnyOrder("bytes-0", "bytes-1");
        }
    }

    @ParameterizedTest
    @EnumSource(EventLoops.Transport.class)
    void aStuckLoopIsSeenFromOutsideWhileItIsStuck(EventLoops.Transport transport) throws Exception {
        try (EventLoops loops = new EventLoops("bytes", 2, transport, Clock.system())) {
            CountDownLatch letGo = new CountDownLatch(1);
            var stuck = loops.group().next().submit(() -> letGo.await(30, TimeUnit.SECONDS));
            Eventually.await(() -> loops.stalled(Duration.ofMillis(300)));
            assertThat(loops.lag()).hasSize(2);
            letGo.countDown();
            stuck.get(30, TimeUnit.SECONDS);
            Eventually.await(() -> !loops.stalled(Duration.ofMillis(300)));
            assertThat(loops.lag())
                    .anyMatch(lag -> lag.worst() > Duration.ofMillis(300).toNanos());
        }
    }

    @ParameterizedTest
    @EnumSource(EventLoops.Transport.class)
    void timersRunOnTheirOwnLoop(EventLoops.Transport transport) throws Exception {
        try (EventLoops loops = new EventLoops("bytes", 2, transport, Clock.system())) {
            EventLoop loop = loops.group().next();
            CompletableFuture<Boolean> fired = new CompletableFuture<>();
            loop.execute(() -> new Timeout(loops.timers(loop)) {
                @Override
                protected void expired() {
                    fired.complete(loop.inEventLoop());
                }
            }.after(Duration.ofMillis(40).toNanos()));
            assertThat(fired.get(30, TimeUnit.SECONDS)).isTrue();
            try (EventLoops others = new EventLoops("ops", 1)) {
                assertThatThrownBy(() -> others.timers(loop)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(EventLoops.Transport.class)
    void closeEndsEveryThread(EventLoops.Transport transport) {
        EventLoops loops = new EventLoops("ending", 2, transport, Clock.system());
        assertThat(loops.stop(Deadline.after(Clock.system(), LONG))).isTrue();
        Eventually.await(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("ending-")));
    }
}
