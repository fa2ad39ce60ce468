package dev.ron.passport.api;

import dev.ron.passport.client.Client;
import dev.ron.token.caveat.Caveat;
import java.util.List;

/**
 * Who asks.
 *
 * @param inherited the caveats of the capability that was shown, if one was
 * @param notAfter the second at which it ends
 */
record Caller(Client client, List<Caveat> inherited, long notAfter) {
    static Caller of(Client client) {
        return new Caller(client, List.of(), Long.MAX_VALUE);
    }
}
