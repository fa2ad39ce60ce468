package dev.ron.passport.api;

import dev.ron.passport.client.Client;
import dev.ron.token.caveat.Caveat;
import java.util.List;

/**
 * Who asks.
 *
 * @param credential what was shown: a key, a token or the thumbprint of a certificate; it tells callers apart
 * @param inherited the caveats of the capability that was shown, if one was
 * @param notAfter the second at which it ends
 */
record Caller(Client client, String credential, List<Caveat> inherited, long notAfter) {
    static Caller of(Client client, String credential) {
        return new Caller(client, credential, List.of(), Long.MAX_VALUE);
    }

    @Override
    public String toString() {
        return "Caller[" + client.id() + "]";
    }
}
