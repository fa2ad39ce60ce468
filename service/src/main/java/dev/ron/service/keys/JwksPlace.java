package dev.ron.service.keys;

import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.ClientResponse;
import dev.ron.http.client.HttpClient;
import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Members;
import dev.ron.token.json.StrictJson;
import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;

/**
 * Where an issuer publishes its keys: as it was configured, or as its own discovery document says (OpenID Connect
 * Discovery 1.0, section 4).
 *
 * <p>What was found is kept until a fetch there fails. Used by one task.
 */
public final class JwksPlace {
    private static final int MAX_BYTES = 64 << 10;
    private static final int MAX_PORT = 65_535;
    private static final int MAX_URL = 2048;

    private final String issuer;
    private final Optional<URI> configured;
    private Optional<URI> found = Optional.empty();

    public JwksPlace(String issuer, Optional<URI> configured) {
        this.issuer = issuer;
        this.configured = configured;
    }

    /** The address; asks the issuer where that is not known. */
    public URI find(HttpClient client) throws Refused {
        if (configured.isPresent()) {
            return configured.get();
        }
        if (found.isEmpty()) {
            found = Optional.of(discovered(client));
        }
        return found.get();
    }

    /** Asks again next time: the keys were not there. */
    public void forget() {
        found = Optional.empty();
    }

    private URI discovered(HttpClient client) throws Refused {
        if (!isSafe(issuer)) {
            throw new Refused(Reason.MALFORMED, "issuer is not an address that can be asked safely for its keys");
        }
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        ClientResponse response = client.send(
                ClientRequest.get(base + "/.well-known/openid-configuration").maxBodyBytes(MAX_BYTES));
        if (response.status() != 200) {
            throw new Refused(Reason.STALE_STATE, "its discovery document answers " + response.status());
        }
        Members members =
                new Members(StrictJson.FOREIGN.object(response.body(), MAX_BYTES, "discovery"), "discovery document");
        if (!members.string("issuer", 1, MAX_URL).equals(issuer)) {
            throw new Refused(Reason.WRONG_ISSUER, "its discovery document is another issuer's");
        }
        return address(issuer, members.string("jwks_uri", 1, MAX_URL));
    }

    static URI address(String issuer, String text) throws Refused {
        try {
            URI uri = URI.create(text);
            // A far issuer that names this machine would have us ask our own ports.
            boolean here = "http".equals(uri.getScheme());
            if (isSafe(uri) && (!here || issuer.startsWith("http:"))) {
                return uri;
            }
        } catch (IllegalArgumentException _) {
            // told below
        }
        throw new Refused(Reason.MALFORMED, "its discovery document names no safe jwks_uri");
    }

    /** Whether keys may be fetched there: whoever can change them on the way can sign tokens. */
    public static boolean isSafe(URI place) {
        boolean canBeAsked = place.getHost() != null
                && place.getPort() != 0
                && place.getPort() <= MAX_PORT
                && place.getRawUserInfo() == null
                && place.getRawFragment() == null;
        return canBeAsked
                && ("https".equals(place.getScheme())
                        || ("http".equals(place.getScheme()) && isLoopback(place.getHost())));
    }

    /** The same of an issuer that is to say itself where they are. */
    public static boolean isSafe(String issuer) {
        try {
            URI uri = URI.create(issuer);
            return uri.getQuery() == null && isSafe(uri);
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
