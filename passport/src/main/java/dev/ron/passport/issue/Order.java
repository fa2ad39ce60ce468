package dev.ron.passport.issue;

import dev.ron.passport.client.Client;
import dev.ron.token.caveat.Caveat;
import java.util.List;
import java.util.OptionalLong;

/**
 * A token someone asks for.
 *
 * @param inherited caveats of the capability that asks, if one does: the new token must not be wider
 * @param notAfter the second at which the asking capability ends, or the end of time
 * @param hybrid whether the client takes a co-signed token
 * @param classical whether it takes one without
 */
public record Order(
        Client client,
        String subject,
        List<String> audiences,
        OptionalLong ttlSeconds,
        String tenant,
        List<Caveat> caveats,
        List<Caveat> inherited,
        long notAfter,
        boolean hybrid,
        boolean classical,
        Format format,
        boolean attenuable) {

    /** The form of the token. */
    public enum Format {
        PCT,
        JWT
    }
}
