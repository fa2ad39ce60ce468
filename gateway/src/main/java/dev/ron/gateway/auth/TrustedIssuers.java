package dev.ron.gateway.auth;

import dev.ron.service.keys.ForeignIssuer;
import dev.ron.service.keys.IssuerKeys;
import dev.ron.token.jwt.JwtConfig;
import dev.ron.token.jwt.JwtTrust;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is known of every trusted issuer, put together once and again only when one of them has news. */
public final class TrustedIssuers {
    private final List<IssuerKeys> offices;
    private final List<ForeignIssuer> foreign;
    private volatile Known known;

    /**
     * One state of all issuers; the identical object until there is news.
     *
     * @param states of the offices
     * @param plain what access tokens are judged by: those of the offices, then of the others
     */
    record Known(List<IssuerState> states, KeyState capabilities, List<JwtTrust> plain) {}

    public TrustedIssuers(List<IssuerKeys> offices, List<ForeignIssuer> foreign) {
        this.offices = List.copyOf(offices);
        this.foreign = List.copyOf(foreign);
        this.known = gather();
    }

    public boolean none() {
        return offices.isEmpty() && foreign.isEmpty();
    }

    /** Which access tokens each issuer's are, in the order of their keys. */
    List<JwtConfig> rules(String audience, long skewSeconds) {
        List<JwtConfig> rules = new ArrayList<>();
        offices.forEach(keys ->
                rules.add(JwtConfig.ofOffice(keys.issuer().iss(), audience).withSkew(skewSeconds)));
        foreign.forEach(issuer -> rules.add(issuer.source().rules()));
        return rules;
    }

    /** Whether the keys at that place have not been confirmed for too long; an office's feed says that by itself. */
    boolean isTooOld(int place) {
        return place >= offices.size() && foreign.get(place - offices.size()).isTooOld();
    }

    /** Says that nobody is known to have the key that a token names. */
    void wish() {
        foreign.forEach(ForeignIssuer::wish);
    }

    Known now() {
        Known before = known;
        for (int i = 0; i < offices.size(); i++) {
            if (!offices.get(i).issuer().equals(before.states().get(i))) {
                return renewed();
            }
        }
        for (int i = 0; i < before.plain().size(); i++) {
            if (!published(i).equals(before.plain().get(i).keys())) {
                return renewed();
            }
        }
        return before;
    }

    private Known renewed() {
        Known next = gather();
        known = next;
        return next;
    }

    private JwkSet published(int place) {
        return place < offices.size()
                ? offices.get(place).published()
                : foreign.get(place - offices.size()).published();
    }

    private Known gather() {
        List<IssuerState> states = new ArrayList<>();
        List<JwtTrust> plain = new ArrayList<>();
        for (IssuerKeys keys : offices) {
            IssuerState state = keys.issuer();
            states.add(state);
            plain.add(new JwtTrust(keys.published(), Optional.of(state.revocations()), state.tenants()));
        }
        for (ForeignIssuer issuer : foreign) {
            plain.add(new JwtTrust(
                    issuer.published(), Optional.empty(), issuer.source().tenants()));
        }
        return new Known(states, KeyState.of(states), List.copyOf(plain));
    }
}
