package dev.ron.passport.issue;

import dev.ron.passport.client.Client;
import dev.ron.token.caveat.Binding;
import dev.ron.token.caveat.Caveat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A token someone asks for.
 *
 * @param inherited caveats of the capability that asks, if one does: the new token must not be wider
 * @param notAfter the second at which the asking capability ends, or the end of time
 * @param hybrid whether the client takes a co-signed token
 * @param classical whether it takes one without
 * @param attenuable whether blocks may be added; for a holder with a seed of its own, whether it has named a next key
 * @param holder the client keeps the seed and appends the proof itself
 * @param confirmation the key that whoever shows the token must prove
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
        boolean attenuable,
        Optional<Holder> holder,
        Optional<Binding> confirmation) {

    /** The operations that the token will name; empty where it is to name none, which is no limit. */
    Optional<List<String>> scope() {
        return Caveat.Scope.common(
                Stream.concat(inherited.stream(), caveats.stream()).toList());
    }

    /** What a client tells of a seed that stays with it: {@code nh}, and {@code nk} where blocks may follow. */
    public record Holder(String commitment, Optional<String> nextKey) {}

    /** The form of the token. */
    public enum Format {
        PCT,
        JWT
    }
}
