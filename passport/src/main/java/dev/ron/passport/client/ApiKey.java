package dev.ron.passport.client;

import dev.ron.token.crypto.Sha256;
import dev.ron.token.json.Base64Url;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A client's key: a prefix to find its record by, and 256 random bits.
 *
 * <p>Random bits cannot be guessed, so a plain hash at rest is enough; a slow one would only slow us down.
 */
public final class ApiKey {
    private static final String PREFIX = "ron_ck_";
    private static final Pattern FORM = Pattern.compile("ron_ck_([A-Za-z0-9_-]{11})\\.([A-Za-z0-9_-]{43})");

    private final String text;
    private final String prefix;

    private ApiKey(String text, String prefix) {
        this.text = text;
        this.prefix = prefix;
    }

    public static ApiKey random(SecureRandom random) {
        byte[] name = new byte[8];
        byte[] secret = new byte[32];
        random.nextBytes(name);
        random.nextBytes(secret);
        String prefix = Base64Url.encode(name);
        return new ApiKey(PREFIX + prefix + "." + Base64Url.encode(secret), prefix);
    }

    /** Empty if the text cannot be a key at all. */
    public static Optional<ApiKey> parse(String text) {
        var match = FORM.matcher(text);
        return match.matches() ? Optional.of(new ApiKey(text, match.group(1))) : Optional.empty();
    }

    public String prefix() {
        return prefix;
    }

    public String hash() {
        return Base64Url.encode(Sha256.ofAscii(text));
    }

    /** The client whose key this is. */
    public Optional<Client> owner(Map<String, Client> byPrefix) {
        return Optional.ofNullable(byPrefix.get(prefix)).filter(client -> Sha256.same(client.keyHash(), hash()));
    }

    /** The secret itself: shown once to whoever asked for it. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return PREFIX + "***";
    }
}
