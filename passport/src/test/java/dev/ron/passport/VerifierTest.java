package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.MovableClock;
import dev.ron.kernel.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A verifier elsewhere: it follows the issuer over HTTP and decides from what it knows. */
class VerifierTest {
    private OfficeProcess office;
    private RemoteVerifier verifier;

    @BeforeEach
    void follow() throws Exception {
        office = OfficeProcess.inMemory();
        verifier = following(Clock.system());
    }

    private RemoteVerifier following(Clock clock) {
        return new RemoteVerifier(
                office.service().issuer(),
                office.url(""),
                office.service().ownKey().reveal(),
                clock);
    }

    private RemoteVerifier followingWithClockWrongBy(long seconds) {
        MovableClock wrong = new MovableClock();
        wrong.move(Duration.ofSeconds(seconds));
        return following(wrong);
    }

    @AfterEach
    void stop() {
        office.close();
        verifier.close();
    }

    private String verdict(String token, String method, long now) {
        return verifier.verdict(token, method, now);
    }

    private long now() {
        return Clock.system().now().getEpochSecond();
    }

    @Test
    void beforeTheIssuerWasHeardEverythingIsDeniedAndThenTokensAndRevocationsArrive() {
        String token = office.issue();
        Eventually.await("the first state", () -> verdict(token, "PUT", now()).equals("allow"));
        office.post("/v1/passport/revoke", "{\"token\":\"" + token + "\"}");
        Eventually.await("the revocation", () -> verdict(token, "GET", now()).equals("revoked"));
    }

    @Test
    void anEmergencyRotationReachesTheVerifierAtOnce() {
        String old = office.issue();
        Eventually.await("the first state", () -> verdict(old, "GET", now()).equals("allow"));
        office.rotate("pct", true);
        String fresh = office.issue();
        Eventually.await("the new key", () -> verdict(fresh, "GET", now()).equals("allow"));
        assertThat(verdict(old, "GET", now())).isNotEqualTo("allow");
        office.rotate("feed", true);
        String later = office.issue();
        office.post("/v1/passport/revoke", "{\"token\":\"" + later + "\"}");
        Eventually.await(
                "a feed signed anew", () -> verdict(later, "GET", now()).equals("revoked"));
    }

    // the feed is lost  ->  writes are denied after 30 s, reads after 300 s
    @Test
    void aLostFeedStopsWritesFirstAndThenEverything() {
        String token = office.issue();
        Eventually.await("the first state", () -> verdict(token, "GET", now()).equals("allow"));
        office.close();
        long asOf = now() - verifier.ageSeconds();
        assertThat(verdict(token, "PUT", asOf + 30)).isEqualTo("allow");
        assertThat(verdict(token, "PUT", asOf + 31)).isEqualTo("stale_state");
        assertThat(verdict(token, "GET", asOf + 31)).isEqualTo("allow");
        assertThat(verdict(token, "GET", asOf + 300)).isEqualTo("allow");
        assertThat(verdict(token, "GET", asOf + 301)).isEqualTo("stale_state");
    }

    // a verifier whose clock is a minute off  ->  it may write all the same; two minutes  ->  it may not
    @Test
    void aMinuteOfClockSkewIsForgivenForWritesAndNoMore() {
        String token = office.issue();
        for (long wrong : new long[] {55, -55}) {
            try (RemoteVerifier off = followingWithClockWrongBy(wrong)) {
                Eventually.await(
                        "the first state",
                        () -> off.verdict(token, "PUT", now() + wrong).equals("allow"));
            }
        }
        try (RemoteVerifier off = followingWithClockWrongBy(120)) {
            Eventually.await(
                    "the first state",
                    () -> off.verdict(token, "GET", now() + 120).equals("allow"));
            assertThat(off.verdict(token, "PUT", now() + 120)).isEqualTo("stale_state");
        }
        try (RemoteVerifier off = followingWithClockWrongBy(-120)) {
            Eventually.await("a feed of the future", () -> off.failures() > 1);
            assertThat(off.verdict(token, "GET", now() - 120)).isEqualTo("stale_state");
        }
    }

    // the office's clock is half an hour ahead for a moment  ->  not believed then, revocations are heard after
    @Test
    void anOfficeThatWasAheadForAMomentIsHeardAgainWhenItsClockIsRight() {
        String token = office.issue("\"ttl_s\":3600");
        Eventually.await("the first state", () -> verdict(token, "GET", now()).equals("allow"));
        office.timePasses(Duration.ofMinutes(30));
        assertThat(office.post("/v1/passport/revoke", "{\"token\":\"" + token + "\"}")
                        .status())
                .isEqualTo(200);
        long before = verifier.failures();
        Eventually.await("a feed of the future", () -> verifier.failures() > before);
        office.timePasses(Duration.ofMinutes(-30));
        Eventually.await("the revocation", () -> verdict(token, "GET", now()).equals("revoked"));
    }
}
