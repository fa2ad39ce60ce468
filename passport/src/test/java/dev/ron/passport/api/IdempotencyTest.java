package dev.ron.passport.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is remembered of repeatable requests is shared out among the clients. */
class IdempotencyTest {
    private final VirtualClock clock = new VirtualClock();
    private final Idempotency once = new Idempotency(clock, Meter.none());

    private Response ask(String client, String key) {
        Caller caller = Caller.of(
                new Client(client, "p", "h", List.of("t"), Set.of(Right.ISSUE), List.of(), 0), "key of " + client);
        return once.once(caller, Optional.of(key), new byte[0], () -> Response.json(200, "{}"));
    }

    // one client fills its quarter  ->  it waits, the others do not; a minute later it has its quarter again
    @Test
    void aClientHasAQuarterOfTheTable() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < Idempotency.PER_CLIENT; i++) {
                ask("busy", "k" + i);
            }
            assertThatThrownBy(() -> ask("busy", "one more"))
                    .isInstanceOfSatisfying(
                            RonException.class, e -> assertThat(e.code()).isEqualTo(Code.BUSY));
            assertThat(ask("busy", "k0").status())
                    .as("a repetition takes no place")
                    .isEqualTo(200);
            assertThat(ask("other", "one more").status()).isEqualTo(200);
            clock.advance(Duration.ofSeconds(61));
        }
    }

    @Test
    void whatFailedGivesItsPlaceBack() {
        Caller caller =
                Caller.of(new Client("c", "p", "h", List.of("t"), Set.of(Right.ISSUE), List.of(), 0), "key of c");
        for (int i = 0; i <= Idempotency.PER_CLIENT; i++) {
            String key = "k" + i;
            assertThatThrownBy(() -> once.once(caller, Optional.of(key), new byte[0], () -> {
                        throw new IllegalStateException("refused");
                    }))
                    .hasMessage("refused");
        }
        assertThat(ask("c", "another").status()).isEqualTo(200);
    }
}
