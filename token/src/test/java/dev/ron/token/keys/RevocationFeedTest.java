package dev.ron.token.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.TestIssuer;
import dev.ron.token.crypto.Signatures;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RevocationFeedTest {
    private static final long NOW = TestIssuer.NOW;
    private static final byte[] SEED = TestIssuer.bytes(0x70);
    private static final TokenKey KEY = new TokenKey(Purpose.FEED, KeyStatus.ACTIVE, Signatures.publicKey(SEED));

    private final Signatures signatures = Signatures.best();
    private final IssuerState issuer = IssuerState.of(TestIssuer.ISS, List.of(KEY), Revocations.none(NOW), Tenants.ALL);
    private final RevocationFeed feed = new RevocationFeed(
            TestIssuer.ISS,
            4,
            9,
            1,
            false,
            NOW + 5,
            List.of(
                    new FeedEntry(5, new Revocation.Id("a", NOW + 100), "logout"),
                    new FeedEntry(6, new Revocation.Subject("t1", "s", NOW), "operator"),
                    new FeedEntry(7, new Revocation.Key("1IG2tMH7J2wbJZnO"), "compromise"),
                    new FeedEntry(8, new Revocation.Floor(3), "rotation"),
                    new FeedEntry(9, new Revocation.TenantFloor("t1", 4), "other")));

    private String signed(RevocationFeed document) {
        return document.sign(KEY.kid(), signatures.sign(SEED, document.signingInput(KEY.kid())));
    }

    private RevocationFeed parse(String text) throws Refused {
        return RevocationFeed.parse(text.getBytes(StandardCharsets.UTF_8), issuer, signatures);
    }

    @Test
    void comesBackAsItWasSentAndTakesEffect() throws Refused {
        RevocationFeed received = parse(signed(feed));
        assertThat(received).isEqualTo(feed);
        Revocations state = received.applyTo(issuer.revocations(), 4, NOW + 5);
        assertThat(state.asOf()).isEqualTo(NOW + 5);
        assertThat(state.isRevoked("a")).isTrue();
        assertThat(state.isSubjectRevoked("t1", "s", NOW, 60)).isTrue();
        assertThat(state.isKeyRevoked("1IG2tMH7J2wbJZnO")).isTrue();
        assertThat(state.floor("t1")).isEqualTo(4);
    }

    @Test
    void anyChangedByteIsRefused() {
        String text = signed(feed);
        for (int at = 0; at < text.length(); at += 3) {
            String changed = text.substring(0, at) + (char) (text.charAt(at) ^ 1) + text.substring(at + 1);
            assertThatThrownBy(() -> parse(changed)).isInstanceOf(Refused.class);
        }
        String moved = text.replace("\"as_of\":" + (NOW + 5), "\"as_of\":" + (NOW + 500));
        assertRefused(() -> parse(moved), Reason.BAD_SIGNATURE);
    }

    @Test
    void onlyAFeedKeyMaySignIt() {
        IssuerState otherPurpose = IssuerState.of(
                TestIssuer.ISS,
                List.of(new TokenKey(Purpose.PCT, KeyStatus.ACTIVE, KEY.key())),
                Revocations.none(NOW),
                Tenants.ALL);
        byte[] bytes = signed(feed).getBytes(StandardCharsets.UTF_8);
        assertRefused(() -> RevocationFeed.parse(bytes, otherPurpose, signatures), Reason.UNKNOWN_KID);
        RevocationFeed foreign = new RevocationFeed("https://else.test", 0, 0, 0, true, NOW, List.of());
        assertRefused(() -> parse(signed(foreign)), Reason.WRONG_ISSUER);
    }

    @Test
    void anOldAnswerAndAGapAreRefusedAndAFullSetReplaces() throws Refused {
        Revocations later = Revocations.none(NOW + 6);
        assertRefused(() -> feed.applyTo(later, 4, NOW + 5), Reason.STALE_STATE);
        assertRefused(() -> feed.applyTo(issuer.revocations(), 3, NOW + 5), Reason.STALE_STATE);

        RevocationFeed full = new RevocationFeed(TestIssuer.ISS, 0, 9, 9, true, NOW + 6, List.of());
        Revocations state = feed.applyTo(issuer.revocations(), 4, NOW + 5);
        assertThat(full.applyTo(state, 9, NOW + 6).isRevoked("a")).isFalse();
    }

    @Test
    void aFeedDatedBeyondTheSkewInTheFutureIsRefused() throws Refused {
        long said = feed.asOf();
        assertRefused(() -> feed.applyTo(issuer.revocations(), 4, said - 61), Reason.STALE_STATE);
        assertRefused(() -> feed.applyTo(issuer.revocations(), 4, said - 120), Reason.STALE_STATE);
        assertRefused(() -> feed.applyTo(issuer.revocations(), 4, said - 3600), Reason.STALE_STATE);
        Revocations ahead = feed.applyTo(issuer.revocations(), 4, said - 60);
        assertThat(ahead.age(said - 60)).isZero();
        assertThat(ahead.age(said - 60 + 31))
                .as("no grace beyond the own clock")
                .isEqualTo(31);
    }

    // the own clock is set back an hour  ->  the state is of the future: not believed, and a full set replaces it
    @Test
    void aClockThatIsSetBackEndsTheStateAndAFullSetBeginsAnew() throws Refused {
        long back = feed.asOf() - 3600;
        Revocations future = feed.applyTo(issuer.revocations(), 4, feed.asOf());
        assertThat(future.age(back)).isEqualTo(3600);
        RevocationFeed news = new RevocationFeed(TestIssuer.ISS, 9, 9, 9, false, back, List.of());
        assertRefused(() -> news.applyTo(future, 9, back), Reason.STALE_STATE);
        RevocationFeed full = new RevocationFeed(TestIssuer.ISS, 0, 9, 9, true, back, feed.entries());
        assertThat(full.applyTo(future, 9, back).age(back)).isZero();
        assertThat(full.applyTo(future, 9, back).isRevoked("a")).isTrue();
    }

    @Test
    void tenThousandRevocationsTravel() throws Refused {
        List<FeedEntry> many = new ArrayList<>();
        for (int i = 1; i <= 10_000; i++) {
            many.add(new FeedEntry(i, new Revocation.Id(TestIssuer.jti(i), NOW + 900), "logout"));
        }
        RevocationFeed large = new RevocationFeed(TestIssuer.ISS, 0, 10_000, 1, true, NOW, many);
        assertThat(parse(signed(large)).applyTo(Revocations.none(NOW), 0, NOW).idCount())
                .isEqualTo(10_000);
    }

    private static void assertRefused(ThrowingCallable action, Reason reason) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
    }
}
