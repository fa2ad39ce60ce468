package dev.ron.service.log;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Takes out of a text whatever looks like a credential; the last line of defence, after not logging it at all. */
public final class Redaction {
    private record Rule(Pattern pattern, String replacement) {}

    private static final String VALUE = "[^\\s\"',;&}\\])]+";
    private static final List<Rule> RULES = List.of(
            rule("-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\\z)", "***"),
            // The whole header value: it may hold blanks and several parts.
            rule("(?i)\\b((?:proxy-)?authorization|(?:set-)?cookie)(\"?\\s*[:=]\\s*\"?)[^\"\\r\\n]+", "$1$2***"),
            rule("(?i)\\b(bearer|basic|dpop)\\s+[A-Za-z0-9._~+/=-]{6,}", "$1 ***"),
            rule("\\bron_op_[A-Za-z0-9_-]+", "ron_op_***"),
            rule("(?i)\\b(pct1[.~])[A-Za-z0-9._~=-]+", "$1***"),
            rule("\\bron_ck_[A-Za-z0-9_-]+", "ron_ck_***"),
            rule("\\beyJ[A-Za-z0-9_-]{6,}(?:\\.[A-Za-z0-9_-]*){1,4}", "***"),
            rule(
                    "(?i)\\b([a-z0-9_.-]*(?:password|passphrase|secret|token|api[_-]?key|private[_-]?key|credential))(\"?\\s*[:=]\\s*\"?)"
                            + VALUE,
                    "$1$2***"));
    private static final Pattern SECRET_KEY =
            Pattern.compile("(authorization|cookie|password|passphrase|secret|token|credential|api_?key|private_?key)");

    private Redaction() {}

    public static String clean(String text) {
        String cleaned = text;
        for (Rule r : RULES) {
            cleaned = r.pattern().matcher(cleaned).replaceAll(r.replacement());
        }
        return cleaned;
    }

    /** Whether a field of this name may not be shown whatever it holds. */
    static boolean isSecretField(String key) {
        return SECRET_KEY
                .matcher(key.toLowerCase(Locale.ROOT).replace('-', '_'))
                .find();
    }

    private static Rule rule(String regex, String replacement) {
        return new Rule(Pattern.compile(regex, Pattern.DOTALL), replacement);
    }
}
