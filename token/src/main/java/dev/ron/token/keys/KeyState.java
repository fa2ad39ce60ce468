package dev.ron.token.keys;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything a verifier trusts, as one immutable snapshot; a host swaps it whole when a feed brings news. */
public record KeyState(Map<String, IssuerState> issuers) {
    public KeyState {
        issuers = Map.copyOf(issuers);
    }

    public static KeyState of(IssuerState... states) {
        return of(List.of(states));
    }

    public static KeyState of(List<IssuerState> states) {
        Map<String, IssuerState> byIss = new HashMap<>();
        for (IssuerState state : states) {
            if (byIss.put(state.iss(), state) != null) {
                throw new IllegalArgumentException("issuer " + state.iss() + " twice");
            }
        }
        return new KeyState(byIss);
    }

    /** A copy with one issuer replaced or added. */
    public KeyState with(IssuerState state) {
        Map<String, IssuerState> copy = new HashMap<>(issuers);
        copy.put(state.iss(), state);
        return new KeyState(copy);
    }

    public Optional<IssuerState> issuer(String iss) {
        return Optional.ofNullable(issuers.get(iss));
    }
}
