package dev.ron.edge.fill;

import dev.ron.http.message.Headers;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The field by which a request that goes in a circle is noticed (RFC 8586).
 *
 * <p>It is the one field of a caller that an origin gets to see, so what is passed on is short and well-formed: an origin
 * that finds fault with it would refuse an object to everyone.
 */
final class CdnLoop {
    /** Of this process: another edge may well stand between us and the origin. */
    static final String ID =
            "ron-edge-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());

    static final int MOST_BYTES = 256;

    private static final String NAME = "CDN-Loop";
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final String QUOTED = "\"(?:[\\t !#-\\[\\]-~]|\\\\[\\t -~])*\"";
    private static final Pattern MEMBER = Pattern.compile("[ \\t]*+(?:((?:\\[[0-9A-Fa-f:.]++\\]|" + TOKEN
            + ")(?::\\d*+)?)" + "(?:[ \\t]*;[ \\t]*" + TOKEN + "=(?:" + TOKEN + "|" + QUOTED + "))*+)?[ \\t]*+(,|$)");

    private CdnLoop() {}

    /** Why a request with such a field is not passed on. */
    static Optional<RonException> refusal(Headers fields) {
        String text = of(fields);
        if (text.length() > MOST_BYTES) {
            return Optional.of(new RonException(
                    Code.HEADER_CAP,
                    "headers",
                    NAME + " has " + text.length() + " bytes (expected: at most " + MOST_BYTES + ")"));
        }
        Matcher member = MEMBER.matcher(text);
        for (int at = 0; at < text.length(); at = member.end()) {
            if (!member.region(at, text.length()).lookingAt()) {
                return Optional.of(
                        new RonException(Code.BAD_REQUEST, "bad_request", NAME + " (expected: a list of CDN names)"));
            }
            if (ID.equalsIgnoreCase(member.group(1))) {
                return Optional.of(new RonException(
                        Code.LOOP, "loop", "this request has been here before: its origin leads back to us"));
            }
        }
        return Optional.empty();
    }

    /** Its lines as one; empty where there is none. */
    static String of(Headers fields) {
        return String.join(", ", fields.all(NAME));
    }

    /** With us at its end. */
    static String passedOn(String before) {
        return before.isEmpty() ? ID : before + ", " + ID;
    }
}
