package dev.ron.gateway.arbiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.arbiter.drr.Discipline;
import dev.ron.gateway.arbiter.drr.Drr;
import dev.ron.gateway.arbiter.drr.Shares;
import dev.ron.gateway.arbiter.drr.Ticket;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of service fails: nobody is lost, no slot is lost, and it goes on. */
class ArbiterFailureTest {

    /** Deficit round robin that fails at a chosen call. */
    private static final class Faulty implements Discipline {
        static final class Fault extends RuntimeException {
            private static final long serialVersionUID = 1;
        }

        private final Drr drr;
        private final Switch fault;

        static final class Switch {
            String at = "";
        }

        Faulty(Shares shares, Switch fault) {
            this.drr = new Drr(shares);
            this.fault = fault;
        }

        private void mayFail(String call) {
            if (fault.at.equals(call)) {
                fault.at = "";
                throw new Fault();
            }
        }

        @Override
        public void file(Ticket ticket, boolean first) {
            mayFail("file");
            drr.file(ticket, first);
        }

        @Override
        public @Nullable Ticket choose(long now, int inFlight, int limit) {
            mayFail("choose");
            return drr.choose(now, inFlight, limit);
        }

        @Override
        public void remove(Ticket ticket) {
            mayFail("remove");
            drr.remove(ticket);
        }

        @Override
        public @Nullable Ticket givesWayTo(Ticket newcomer) {
            mayFail("givesWayTo");
            return drr.givesWayTo(newcomer);
        }

        @Override
        public void tick(long now) {
            mayFail("tick");
            drr.tick(now);
        }

        @Override
        public long slotTimeMicros() {
            return drr.slotTimeMicros();
        }
    }

    private final Faulty.Switch fault = new Faulty.Switch();
    private final Bench bench =
            new Bench(new ArbiterSettings(2, 10, Duration.ofSeconds(1), 16, 4, 2), shares -> new Faulty(shares, fault));

    @ParameterizedTest
    @ValueSource(strings = {"file", "choose", "remove", "givesWayTo", "tick"})
    void failureAnywhereAnswersAllQueuedShedAndGoesOn(String where) {
        List<Recorder> running = bench.ask("a", 2);
        List<Recorder> queued = bench.ask("a", 10);

        fault.at = where;
        Recorder newcomer = bench.ask("b").heard(); // meets a full house
        bench.release(running.get(0));
        bench.pass(Duration.ofMillis(200));

        assertThat(bench.restarts).hasSize(1).first().isInstanceOf(Faulty.Fault.class);
        for (Recorder recorder : queued) {
            assertThat(recorder.answers.get()).isEqualTo(1);
        }
        assertThat(newcomer.answers.get()).isEqualTo(1);
        assertThat(queued).anyMatch(r -> r.refusal == Refusal.SHED);
        assertThat(bench.view().waiting()).isZero();
        assertThat(bench.view().restarts()).isEqualTo(1);
        assertThat(bench.view().fair()).isTrue();

        queued.forEach(this::releaseIfRunning);
        releaseIfRunning(newcomer);
        bench.release(running.get(1));
        assertThat(bench.view().inFlight()).isZero();
        assertThat(bench.ask("a", 2)).allMatch(Recorder::running);
        assertThat(bench.view("a").held()).isEqualTo(2);
    }

    @Test
    void whatRunsStillCountsForItsTenantAfterTheRestart() {
        List<Recorder> running = bench.ask("a", 2);
        fault.at = "file";
        bench.ask("a");
        bench.turn();

        assertThat(bench.view("a").held()).isEqualTo(2);
        bench.release(running.get(0));
        assertThat(bench.view("a").held()).isEqualTo(1);
        assertThat(bench.view().inFlight()).isEqualTo(1);
    }

    @Test
    void fiveFailuresInAMinuteFallBackToFirstComeFirstServedAndSaySo() {
        bench.ask("a", 2);
        for (int i = 0; i < 5; i++) {
            assertThat(bench.fifo).isFalse();
            fault.at = "file";
            bench.ask("a");
            bench.turn();
        }
        assertThat(bench.fifo).isTrue();
        assertThat(bench.view().fair()).isFalse();
        assertThat(bench.view().restarts()).isEqualTo(5);
        assertThat(bench.shed).isEqualTo(5);

        bench.view().tenants().forEach(t -> assertThat(t.held()).isEqualTo(2));
        List<Recorder> queued = bench.ask("flood", 9);
        Recorder other = bench.ask("other").heard();
        bench.pass(Duration.ofMillis(1_100));
        assertThat(queued).allMatch(r -> r.refusal == Refusal.QUEUE_TIMEOUT);
        assertThat(other.refusal).isEqualTo(Refusal.QUEUE_TIMEOUT);
    }

    @Test
    void fiveFailuresSpreadOverTimeDoNot() {
        bench.ask("a", 2);
        for (int i = 0; i < 8; i++) {
            fault.at = "file";
            bench.ask("a");
            bench.pass(Duration.ofSeconds(16));
        }
        assertThat(bench.restarts).hasSize(8);
        assertThat(bench.fifo).isFalse();
    }

    private void releaseIfRunning(Recorder recorder) {
        if (recorder.running()) {
            bench.release(recorder);
        }
    }
}
