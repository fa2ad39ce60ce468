package dev.ron.gateway.arbiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** What an arbiter promises, one thread at a time. */
class ArbiterTest {

    @Test
    void grantsAtOnceUpToTheLimitAndQueuesTheRest() {
        Bench bench = Bench.limit(2);

        List<Recorder> heard = bench.ask("a", 3);

        assertThat(heard).extracting(Recorder::running).containsExactly(true, true, false);
        assertThat(bench.view().inFlight()).isEqualTo(2);
        assertThat(bench.view().waiting()).isEqualTo(1);
        bench.release(heard.get(0));
        assertThat(heard.get(2).running()).isTrue();
        assertThat(bench.view().inFlight()).isEqualTo(2);
        assertThat(bench.view().waiting()).isZero();
    }

    @Test
    void slotIsReleasedOnlyOnce() {
        Bench bench = Bench.limit(1);
        Recorder heard = bench.ask("a").heard();

        assertThat(heard.held().release(bench.now)).isTrue();
        assertThat(heard.held().release(bench.now)).isFalse();
        assertThat(bench.view().inFlight()).isZero();
    }

    @Test
    void fullHouseRefusesTheFloodersOwnNextJob() {
        Bench bench = Bench.limit(1);
        List<Recorder> heard = bench.ask("flood", 1 + 512 + 10);
        bench.turn();

        assertThat(heard.subList(1, 513)).allMatch(r -> r.answers.get() == 0);
        assertThat(heard.subList(513, 523)).allMatch(r -> r.refusal == Refusal.BUSY);
        assertThat(bench.view().waiting()).isEqualTo(512);
        assertThat(bench.view("flood").refused()).containsEntry(Refusal.BUSY, 10L);
    }

    @Test
    void fullHouseMakesRoomForShorterQueueAndPushesOutTheTailOfTheLongest() {
        Bench bench = Bench.limit(1);
        List<Recorder> flood = bench.ask("flood", 1 + 512);

        Recorder small = bench.ask("small").heard();
        bench.turn();

        assertThat(small.answers.get()).isZero();
        assertThat(flood.getLast().refusal).isEqualTo(Refusal.BUSY);
        assertThat(flood.stream().filter(r -> r.refusal != null)).hasSize(1);
        assertThat(bench.view().waiting()).isEqualTo(512);
        bench.now += 5_000_000;
        bench.release(flood.getFirst());
        assertThat(small.running()).isTrue();
    }

    @Test
    void pushOutStopsWhenQueuesAreEven() {
        Bench bench = new Bench(new ArbiterSettings(1, 10, Duration.ofSeconds(1), 16, 4, 2));
        bench.ask("a", 1 + 10);

        bench.ask("b", 20);
        bench.turn();

        assertThat(bench.view("a").waiting()).isEqualTo(5);
        assertThat(bench.view("b").waiting()).isEqualTo(5);
        assertThat(bench.view().waiting()).isEqualTo(10);
    }

    @Test
    void waitingJobExpiresAfterTheLongestWait() {
        Bench bench = Bench.limit(1);
        bench.ask("a");
        Recorder waiting = bench.ask("a").heard();

        bench.pass(Duration.ofMillis(990));
        assertThat(waiting.answers.get()).isZero();
        bench.pass(Duration.ofMillis(20));

        assertThat(waiting.refusal).isEqualTo(Refusal.QUEUE_TIMEOUT);
        assertThat(bench.view().waiting()).isZero();
    }

    @Test
    void clientsOwnDeadlineComesFirstWhenItIsSooner() {
        Bench bench = Bench.limit(1);
        bench.ask("a");
        Recorder waiting = bench.ask(Job.of(Bench.tenant("a"), bench.now).deadline(bench.now + 50_000_000))
                .heard();

        bench.pass(Duration.ofMillis(60));

        assertThat(waiting.refusal).isEqualTo(Refusal.DEADLINE);
    }

    @Test
    void expiredJobIsNotGrantedEvenBeforeTheTickFindsIt() {
        Bench bench = Bench.limit(1);
        Recorder first = bench.ask("a").heard();
        Recorder waiting = bench.ask(Job.of(Bench.tenant("a"), bench.now).deadline(bench.now + 1_000_000))
                .heard();
        bench.now += 2_000_000;

        bench.release(first);

        assertThat(waiting.refusal).isEqualTo(Refusal.DEADLINE);
        assertThat(bench.view().inFlight()).isZero();
    }

    @Test
    void cancelledJobHearsNothingAndFreesItsSeat() {
        Bench bench = Bench.limit(1);
        Recorder first = bench.ask("a").heard();
        Bench.Asked waiting = bench.ask("a");

        assertThat(bench.arbiter.cancel(waiting.job(), bench.now)).isTrue();
        assertThat(bench.view().waiting()).isZero();
        bench.release(first);

        assertThat(waiting.heard().answers.get()).isZero();
        assertThat(bench.arbiter.cancel(waiting.job(), bench.now)).isFalse();
        assertThat(bench.view().inFlight()).isZero();
    }

    @Test
    void cancelAfterTheGrantSaysSo() {
        Bench bench = Bench.limit(1);
        Bench.Asked running = bench.ask("a");

        assertThat(bench.arbiter.cancel(running.job(), bench.now)).isFalse();
    }

    @Test
    void jobCancelledBeforeItArrivesTakesNothing() {
        Bench bench = Bench.limit(1);
        for (int round = 0; round < 3; round++) { // unknown tenant, known tenant, no slot left
            Recorder heard = new Recorder();
            Job job = Job.of(Bench.tenant("a"), bench.now).on(bench.loop, heard);
            bench.arbiter.cancel(job, bench.now);
            bench.arbiter.arrive(job, bench.now);
            assertThat(heard.answers.get()).isZero();
            assertThat(bench.view().waiting()).isZero();
            assertThat(bench.view().inFlight()).isEqualTo(round == 2 ? 1 : 0);
            if (round == 1) {
                bench.ask("a");
            }
        }
    }

    @Test
    void retryGoesToTheHeadOfItsTenantsQueue() {
        Bench bench = Bench.limit(1);
        Recorder first = bench.ask("a").heard();
        Recorder second = bench.ask("a").heard();
        Recorder retry = bench.ask(Job.of(Bench.tenant("a"), bench.now).retry()).heard();

        bench.release(first);

        assertThat(retry.running()).isTrue();
        assertThat(second.running()).isFalse();
    }

    @Test
    void smallerLimitAdmitsNothingUntilEnoughHaveLeft() {
        Bench bench = Bench.limit(4);
        List<Recorder> running = bench.ask("a", 4);
        Recorder waiting = bench.ask("a").heard();
        bench.arbiter.resize(2, bench.now);

        bench.release(running.get(0));
        bench.release(running.get(1));
        assertThat(waiting.running()).isFalse();
        assertThat(bench.view().inFlight()).isEqualTo(2);

        bench.release(running.get(2));
        assertThat(waiting.running()).isTrue();
    }

    @Test
    void largerLimitAdmitsWaitersAtOnce() {
        Bench bench = Bench.limit(1);
        List<Recorder> heard = bench.ask("a", 3);

        bench.arbiter.resize(3, bench.now);
        bench.turn();

        assertThat(heard).allMatch(Recorder::running);
    }

    @Test
    void drainRefusesQueuedAndNewAndLetsRunningGoOn() {
        Bench bench = Bench.limit(1);
        Recorder running = bench.ask("a").heard();
        List<Recorder> queued = bench.ask("a", 3);

        bench.arbiter.drain(bench.now);
        bench.turn();
        Recorder late = bench.ask("b").heard();

        assertThat(queued).allMatch(r -> r.refusal == Refusal.DRAINING);
        assertThat(late.refusal).isEqualTo(Refusal.DRAINING);
        assertThat(bench.view().inFlight()).isEqualTo(1);
        bench.release(running);
        assertThat(bench.view().inFlight()).isZero();
    }

    @Test
    void streamGivesItsSlotBackAndIsBoundedPerTenantAndUpstream() {
        Bench bench = new Bench(new ArbiterSettings(1, 16, Duration.ofSeconds(1), 16, 3, 2));
        List<StreamPermit> open = new ArrayList<>();
        for (String tenant : List.of("a", "a", "b")) {
            Recorder heard = bench.ask(tenant).heard();
            open.add(heard.held().toStream(bench.now).orElseThrow());
        }
        assertThat(bench.view().inFlight()).isZero();
        assertThat(bench.view().streams()).isEqualTo(3);

        Recorder one = bench.ask("b").heard();
        assertThat(one.held().toStream(bench.now)).isEmpty(); // the upstream has its three
        assertThat(bench.view().inFlight()).isEqualTo(1);
        open.get(2).close();
        open.get(2).close();
        assertThat(bench.view().streams()).isEqualTo(2);
        bench.release(one);
        Recorder another = bench.ask("a").heard();
        Optional<StreamPermit> third = another.held().toStream(bench.now);
        assertThat(third).isEmpty(); // tenant a has its two
    }

    @Test
    void tenantsBeyondTheBoundShareOneQueue() {
        Bench bench = new Bench(new ArbiterSettings(1_000, 512, Duration.ofSeconds(1), 4, 4, 2));
        for (int i = 0; i < 10; i++) {
            bench.ask("t" + i);
        }
        assertThat(bench.view().tenants()).hasSize(5);
        assertThat(bench.view().tenants().stream()
                        .filter(t -> t.key().equals(TenantKey.OVERFLOW))
                        .findFirst()
                        .orElseThrow()
                        .held())
                .isEqualTo(6);
    }

    @Test
    void idleTenantLeavesTheSharesAfterTenSecondsAndMemoryAfterAMinute() {
        Bench bench = Bench.limit(8);
        bench.release(bench.ask("gone").heard());
        bench.ask("stays");
        assertThat(bench.view().activeTenants()).isEqualTo(2);
        assertThat(bench.view("stays").share()).isEqualTo(4);

        bench.pass(Duration.ofSeconds(11));
        assertThat(bench.view().activeTenants()).isEqualTo(1);
        assertThat(bench.view("stays").share()).isEqualTo(8);
        assertThat(bench.view().tenants()).hasSize(2);

        bench.pass(Duration.ofSeconds(52));
        assertThat(bench.view().tenants()).extracting(TenantView::key).containsExactly(Bench.tenant("stays"));
    }

    @Test
    void reserveIsKeptFromWhoIsAboveItsShare() {
        Bench bench = Bench.limit(8);
        bench.release(bench.ask("small").heard());

        List<Recorder> flood = bench.ask("flood", 20);
        assertThat(bench.view("flood").held()).isEqualTo(7);
        Recorder small = bench.ask("small").heard();
        assertThat(small.running()).isTrue();

        bench.release(flood.getFirst()); // what the small tenant holds counts as used reserve
        assertThat(bench.view("flood").held()).isEqualTo(7);
        bench.release(small);
        assertThat(bench.view("flood").held()).isEqualTo(7);
    }

    @Test
    void newWeightCountsFromItsFirstJobOn() {
        Bench bench = Bench.limit(9);
        bench.ask("a");
        bench.ask("b");
        assertThat(bench.view("a").share()).isEqualTo(4.5);

        bench.ask(Job.of(Bench.tenant("a"), bench.now).weight(2));

        assertThat(bench.view("a").share()).isEqualTo(6);
        assertThat(bench.view("a").weight()).isEqualTo(2);
    }

    @Test
    void viewTellsWaitsAndCounts() {
        Bench bench = Bench.limit(1);
        Recorder running = bench.ask("a").heard();
        List<Recorder> waiting = bench.ask("a", 3);
        for (Recorder next : waiting) {
            bench.now += 10_000_000;
            bench.release(running);
            running = next;
        }
        TenantView view = bench.view("a");
        assertThat(view.served()).isEqualTo(4);
        assertThat(view.held()).isEqualTo(1);
        assertThat(view.waitP50Micros()).isBetween(10_000L, 12_500L);
        assertThat(view.waitP99Micros()).isBetween(30_000L, 37_500L);
    }

    @Test
    void callerThatFailsOnItsAnswerDoesNotKeepTheSlot() {
        Bench bench = Bench.limit(1);
        Caller failing = new Caller() {
            @Override
            public void granted(Slot slot) {
                throw new IllegalStateException("no");
            }

            @Override
            public void refused(Refusal why) {}
        };
        bench.arbiter.arrive(Job.of(Bench.tenant("a"), bench.now).on(bench.loop, failing), bench.now);

        assertThat(bench.callerFailures).hasSize(1);
        assertThat(bench.view().inFlight()).isZero();
    }

    @Test
    void deadLoopGivesItsGrantsBackAsShed() {
        Bench bench = Bench.limit(1);
        Recorder running = bench.ask("a").heard();
        Executor dead = task -> {
            throw new RejectedExecutionException("loop is gone");
        };
        Recorder lost = new Recorder();
        bench.arbiter.arrive(Job.of(Bench.tenant("a"), bench.now).on(dead, lost), bench.now);
        Recorder next = bench.ask("a").heard();

        bench.release(running);

        assertThat(lost.refusal).isEqualTo(Refusal.SHED);
        assertThat(lost.answers.get()).isEqualTo(1);
        assertThat(next.running()).isTrue();
    }

    /** Each grant is told on its loop, so callers that give back at once do not call each other ever deeper. */
    @Test
    void callersThatReleaseAtOnceDoNotStackUp() {
        Bench bench = Bench.limit(1);
        Recorder running = bench.ask("a").heard();
        int[] deepest = {0};
        Caller quick = new Caller() {
            @Override
            public void granted(Slot slot) {
                deepest[0] = Math.max(deepest[0], new Throwable().getStackTrace().length);
                slot.release(bench.now);
            }

            @Override
            public void refused(Refusal why) {}
        };
        for (int i = 0; i < 500; i++) {
            bench.arbiter.arrive(Job.of(Bench.tenant("a"), bench.now).on(bench.loop, quick), bench.now);
        }
        bench.release(running);

        assertThat(bench.view("a").served()).isEqualTo(501);
        assertThat(deepest[0]).isLessThan(150);
    }
}
