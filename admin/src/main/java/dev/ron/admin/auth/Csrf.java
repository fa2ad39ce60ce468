package dev.ron.admin.auth;

import dev.ron.http.message.RequestHead;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes sure that a request which changes something comes from our own page.
 *
 * <p>Four proofs, all of them: the Origin is ours, the browser does not call it cross-site, the body is JSON, and the
 * request carries a token that only a page of ours can have read. Who shows a bearer token proves enough: browsers do not
 * send those by themselves.
 */
public final class Csrf {
    private static final Duration LIFE = Duration.ofHours(12);

    private final byte[] key = new byte[32];
    private final Origins origins;
    private final Clock clock;

    public Csrf(Origins origins, Clock clock, SecureRandom random) {
        this.origins = origins;
        this.clock = clock;
        random.nextBytes(key);
    }

    /** A token for a person; good for twelve hours, or until the console starts again. */
    public String token(Identity identity) {
        long expires = clock.now().plus(LIFE).getEpochSecond();
        return expires + "." + mac(identity.subject(), expires);
    }

    public void require(RequestHead request, Identity identity) {
        requireOwnPage(request, !identity.byCookie());
        if (identity.byCookie()
                && !isGood(request.headers().first("X-Csrf-Token").orElse(""), identity)) {
            throw refused("X-Csrf-Token is missing or not good: read /api/me again");
        }
    }

    /** The part that needs no identity. */
    public void requireOwnPage(RequestHead request, boolean bearer) {
        List<String> sent = request.headers().all("Origin");
        if (sent.size() > 1 || (sent.size() == 1 && !origins.isOurs(sent.getFirst(), request))) {
            throw refused("the request comes from a page of another origin");
        }
        String site = request.headers().first("Sec-Fetch-Site").orElse("");
        if (site.equals("cross-site") || site.equals("same-site")) {
            throw refused("the request comes from another site");
        }
        if (sent.isEmpty() && site.isEmpty() && !bearer) {
            throw refused("the request does not say where it comes from: send Origin");
        }
        String type = request.headers().first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (!type.equals("application/json") && !type.startsWith("application/json;")) {
            throw new RonException(Code.UNSUPPORTED_MEDIA, "content_type", "send Content-Type: application/json");
        }
    }

    private boolean isGood(String token, Identity identity) {
        int dot = token.indexOf('.');
        if (dot < 1 || dot > 12) {
            return false;
        }
        try {
            long expires = Long.parseLong(token.substring(0, dot));
            String expected = mac(identity.subject(), expires);
            return MessageDigest.isEqual(
                            expected.getBytes(StandardCharsets.US_ASCII),
                            token.substring(dot + 1).getBytes(StandardCharsets.US_ASCII))
                    && clock.now().getEpochSecond() <= expires;
        } catch (NumberFormatException _) {
            return false;
        }
    }

    private String mac(String subject, long expires) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            byte[] sum = mac.doFinal((expires + "\n" + subject).getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(sum);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }

    private static RonException refused(String detail) {
        return new RonException(Code.FORBIDDEN, "csrf", detail);
    }
}
