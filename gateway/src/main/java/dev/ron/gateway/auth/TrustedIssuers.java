package dev.ron.gateway.auth;

import dev.ron.service.keys.IssuerKeys;
import dev.ron.token.jwt.JwtTrust;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is known of every trusted issuer, put together once and again only when one of them has news. */
public final class TrustedIssuers {
    private final List<IssuerKeys> issuers;
    private volatile Known known;

    /** One state of all issuers; the identical object until there is news. */
    record Known(List<IssuerState> states, List<JwkSet> sets, KeyState capabilities, List<JwtTrust> plain) {}

    public TrustedIssuers(List<IssuerKeys> issuers) {
        this.issuers = List.copyOf(issuers);
        this.known = gather();
    }

    public boolean none() {
        return issuers.isEmpty();
    }

    /** The names of the issuers, in the order of their plain keys. */
    List<String> names() {
        return issuers.stream().map(keys -> keys.issuer().iss()).toList();
    }

    Known now() {
        Known before = known;
        for (int i = 0; i < issuers.size(); i++) {
            IssuerKeys keys = issuers.get(i);
            if (!keys.issuer().equals(before.states().get(i))
                    || !keys.published().equals(before.sets().get(i))) {
                Known next = gather();
                known = next;
                return next;
            }
        }
        return before;
    }

    private Known gather() {
        List<IssuerState> states = new ArrayList<>();
        List<JwkSet> sets = new ArrayList<>();
        List<JwtTrust> plain = new ArrayList<>();
        for (IssuerKeys keys : issuers) {
            IssuerState state = keys.issuer();
            JwkSet set = keys.published();
            states.add(state);
            sets.add(set);
            plain.add(new JwtTrust(set, Optional.of(state.revocations()), state.tenants()));
        }
        return new Known(states, sets, KeyState.of(states), List.copyOf(plain));
    }
}
