package dev.ron.passport.client;

import dev.ron.token.crypto.Sha256;
import dev.ron.token.json.Base64Url;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;

/**
 * A client's key: a prefix to find its record by, and 256 random bits.
 *
 * <p>Random bits cannot be guessed, so a plain hash at rest is enough; a slow one would only slow us down.
 */
public final class ApiKey {
    private static final String PREFIX = "ron_ck_";
    private static final int PREFIX_END = PREFIX.length() + 11;
    private static final int LENGTH = PREFIX_END + 1 + 43;

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
        if (text.length() != LENGTH || !text.startsWith(PREFIX) || text.charAt(PREFIX_END) != '.') {
            return Optional.empty();
        }
        for (int i = PREFIX.length(); i < LENGTH; i++) {
            if (i != PREFIX_END && !isBase64Url(text.charAt(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(new ApiKey(text, text.substring(PREFIX.length(), PREFIX_END)));
    }

    private static boolean isBase64Url(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
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
