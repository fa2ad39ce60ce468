package dev.ron.kernel.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every accepted question gets exactly one answer, whatever becomes of the worker. */
@ExtendWith(NoLeaks.class)
class ReplyTest {
    private final VirtualClock clock = new VirtualClock();
    private final Deadline never = Deadline.never(clock);
    private final Mailbox<Ask<String, String>> box = new Mailbox<>(Topology.mailbox("issue", 2));

    private Reply<String> ask(Mailbox<Ask<String, String>> to) {
        Ask<String, String> ask = Ask.of("?");
        assertThat(to.trySend(ask)).isEqualTo(Sent.ACCEPTED);
        return ask.reply();
    }

    private static void failsWith(Reply<?> reply, Code code, String reason) {
        assertThatThrownBy(() -> reply.await(Deadline.never(new VirtualClock())))
                .isInstanceOfSatisfying(RonException.class, e -> {
                    assertThat(e.code()).isEqualTo(code);
                    assertThat(e.reason()).isEqualTo(reason);
                });
    }

    private Delivery<Ask<String, String>> next() {
        return box.tryReceive().orElseThrow();
    }

    @Test
    void theFirstAnswerWins() {
        Reply<String> reply = new Reply<>();
        assertThat(reply.answered()).isFalse();
        assertThat(reply.complete("a")).isTrue();
        assertThat(reply.complete("b")).isFalse();
        assertThat(reply.fail(new RonException(Code.INTERNAL, "late"))).isFalse();
        assertThat(reply.await(never)).isEqualTo("a");
    }

    @Test
    void aWorkerThatDiesAnswersItsQuestion() {
        Reply<String> reply = ask(box);
        assertThatThrownBy(() -> next().handle(ask -> {
                    throw new IllegalStateException("bug");
                }))
                .isInstanceOf(IllegalStateException.class);
        failsWith(reply, Code.INTERNAL, "internal");
    }

    @Test
    void aWorkerThatRefusesOrIsInterruptedSaysSo() {
        Reply<String> refused = ask(box);
        Reply<String> stopped = ask(box);
        assertThatThrownBy(() -> next().handle(ask -> {
                    throw new RonException(Code.FORBIDDEN, "policy", "no");
                }))
                .isInstanceOf(RonException.class);
        assertThatThrownBy(() -> next().handle(ask -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);
        failsWith(refused, Code.FORBIDDEN, "policy");
        failsWith(stopped, Code.CANCELED, "canceled");
    }

    @Test
    void anEvictedQuestionIsAnsweredShed() {
        Mailbox<Ask<String, String>> dropping =
                new Mailbox<>(Topology.mailbox("sched", 1).onFull(OnFull.DROP_OLDEST));
        Reply<String> first = ask(dropping);
        Reply<String> second = ask(dropping);
        failsWith(first, Code.UNAVAILABLE, "shed");
        assertThat(second.answered()).isFalse();
    }

    @Test
    void anExpiredQuestionIsAnsweredTimeout() throws Exception {
        CallContext asker = CallContext.of(Deadline.after(clock, Duration.ofSeconds(1)), "c");
        Reply<String> reply = asker.call(() -> ask(box));
        clock.advance(Duration.ofSeconds(1));
        next().handle(ask -> ask.reply().complete("too late"));
        failsWith(reply, Code.TIMEOUT, "queue_timeout");
    }

    @Test
    void aDrainedQuestionIsAnsweredDraining() {
        Reply<String> reply = ask(box);
        box.drainAndAnswer();
        failsWith(reply, Code.DRAINING, "draining");
    }

    @Test
    void aDeadlineIsItselfTheAnswerAndTheWorkerLearnsOfIt() {
        Reply<String> reply = ask(box);
        assertThatThrownBy(() -> reply.await(Deadline.after(clock, Duration.ZERO)))
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMEOUT));
        assertThat(reply.complete("late")).isFalse();
    }

    @Test
    void anAskerThatIsInterruptedAnswersForItself() {
        Reply<String> reply = new Reply<>();
        List<Throwable> ended = new CopyOnWriteArrayList<>();
        Thread asker = Thread.ofVirtual().start(() -> {
            try {
                reply.await(never);
            } catch (Canceled e) {
                ended.add(e);
            }
        });
        Eventually.await("it waits", () -> clock.parked() == 1);
        asker.interrupt();
        Eventually.await("it ends", () -> !asker.isAlive());
        assertThat(ended).hasSize(1);
        assertThat(reply.complete("late")).isFalse();
    }

    // two wait for one answer | the time of one is up | the answer comes  ->  the other one has it
    @Test
    void whoSharesAReplyLeavesWithoutAnsweringIt() {
        Reply<String> reply = new Reply<>();
        assertThatThrownBy(() -> reply.share(Deadline.after(clock, Duration.ZERO)))
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMEOUT));
        assertThat(reply.complete("a")).isTrue();
        assertThat(reply.share(never)).isEqualTo("a");
    }

    @Test
    void aListenerHearsTheAnswerOnceWhenItCameBeforeOrAfter() {
        List<Reply.Outcome<String>> heard = new CopyOnWriteArrayList<>();
        Reply<String> before = new Reply<>();
        before.complete("a");
        before.whenAnswered(heard::add);
        Reply<String> after = new Reply<>();
        after.whenAnswered(heard::add);
        after.complete("b");
        assertThat(heard).containsExactly(new Reply.Done<>("a"), new Reply.Done<>("b"));
        assertThatThrownBy(() -> after.whenAnswered(heard::add)).hasMessageContaining("one listener");
    }

    @Test
    void aListenerThatFailsIsNotTheWorkersFault() {
        Reply<String> reply = new Reply<>();
        reply.whenAnswered(outcome -> {
            throw new IllegalStateException("bug");
        });
        assertThat(reply.complete("a")).isTrue();
    }

    // complete | fail | whenAnswered | await  ->  one outcome, heard once
    @RepeatedTest(200)
    void racingAnswersAndListenersMeetOnce() {
        Reply<String> reply = new Reply<>();
        AtomicInteger won = new AtomicInteger();
        AtomicInteger heard = new AtomicInteger();
        try (Crew crew = new Crew()) {
            crew.add(() -> won.addAndGet(reply.complete("a") ? 1 : 0));
            crew.add(() -> won.addAndGet(reply.fail(new RonException(Code.INTERNAL, "x")) ? 1 : 0));
            crew.add(() -> reply.whenAnswered(outcome -> heard.incrementAndGet()));
            crew.addVirtual(() -> {
                try {
                    reply.await(never);
                } catch (RonException e) {
                    assertThat(e.detail()).isEqualTo("x");
                }
            });
        }
        assertThat(won).hasValue(1);
        assertThat(heard).hasValue(1);
    }
}
