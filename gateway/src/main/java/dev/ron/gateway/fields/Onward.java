package dev.ron.gateway.fields;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ron.http.message.Headers;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an upstream gets to see of a caller's Authorization, where it may see it at all.
 *
 * <p>A capability goes on narrowed to that upstream and sealed: with the holder's own form an upstream could be the
 * holder everywhere else. Any other credential is between caller and upstream, and goes on as it was sent.
 */
public final class Onward {
    private static final String CAPABILITY = "pct1~";
    private static final long MAX_CHARS = 4 << 20;

    private record Asked(String token, String audience) {}

    private final Attenuator attenuator = new Attenuator(Signatures.best(), Caps.DEFAULT);
    private final SecureRandom random = new SecureRandom();
    private final Clock clock;

    // Narrowing signs once, on an event loop. A token that many requests carry pays for it once a minute; fresh ones
    // come no faster than the bucket of their root lets their own signatures be checked. One that was not checked here,
    // on a route that asks for none, could be anybody's making: it is sealed only, which takes no signature.
    private final Cache<Asked, String> narrow = Caffeine.newBuilder()
            .maximumWeight(MAX_CHARS)
            .weigher((Asked asked, String made) -> asked.token().length() + made.length())
            .expireAfterWrite(Duration.ofMinutes(1))
            .executor(Runnable::run)
            .build();

    public Onward(Clock clock) {
        this.clock = clock;
    }

    /**
     * @param proven the token of this request that was found good here; empty without one
     * @return null where nothing goes on
     */
    @Nullable
    String credential(Headers sent, List<String> oneHop, String audience, String proven) {
        int at = sent.indexOf("Authorization", 0);
        if (at < 0 || ConnectionTokens.names(oneHop, sent, at)) {
            return null;
        }
        if (sent.indexOf("Authorization", at + 1) >= 0) {
            throw new RonException(Code.BAD_REQUEST, "malformed", "more than one Authorization field");
        }
        String value = sent.value(at);
        int token = value.indexOf(CAPABILITY);
        if (token < 0) {
            return value;
        }
        String shown = value.substring(token).strip();
        String goesOn = shown.equals(proven)
                ? narrow.get(new Asked(shown, audience), asked -> narrowed(asked.token(), asked.audience()))
                : sealed(shown);
        return goesOn.isEmpty() ? null : value.substring(0, token) + goesOn;
    }

    /** Empty where it is no good capability: an upstream would refuse it, too. */
    private String narrowed(String token, String audience) {
        try {
            return attenuator.attenuateFinally(
                    token,
                    List.of(new Caveat.Audience(List.of(audience))),
                    clock.now().getEpochSecond(),
                    random);
        } catch (Refused refused) {
            boolean full = refused.reason() == Reason.TOO_MANY_BLOCKS || refused.reason() == Reason.TOO_LARGE;
            return full || refused.reason() == Reason.NOT_ATTENUABLE ? sealed(token) : "";
        }
    }

    private String sealed(String token) {
        try {
            return attenuator.seal(token);
        } catch (Refused _) {
            return "";
        }
    }
}
