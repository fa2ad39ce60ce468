package dev.ron.token.verify;

import dev.ron.token.Reason;
import dev.ron.token.caveat.Binding;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.pct.Block;
import dev.ron.token.pct.Chain;
import dev.ron.token.pct.RootClaims;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Runs every caveat of a proven chain against one request and collects what the host must enforce. */
final class Evaluation {
    private final CaveatRules rules;
    private final Chain chain;
    private final RequestContext request;

    private List<Reason> against = List.of();
    private long expiresAt;
    private long maxBody = Long.MAX_VALUE;
    private List<Obligations.Rate> rates = List.of();
    private List<Obligations.Budget> budgets = List.of();

    Evaluation(CaveatRules rules, Chain chain, RequestContext request) {
        this.rules = rules;
        this.chain = chain;
        this.request = request;
        this.expiresAt = chain.claims().exp();
    }

    Decision decide(boolean requestKnown) {
        RootClaims claims = chain.claims();
        for (Chain.Placed placed : chain.caveats()) {
            if (requestKnown || CaveatRules.needsNoRequest(placed.caveat())) {
                consider(placed, claims);
            }
        }
        if (requestKnown && claims.confirmation().isPresent()) {
            Binding key = claims.confirmation().get();
            deny(rules.proves(key, request) ? null : Reason.CAV_BIND);
        }
        if (!against.isEmpty()) {
            return new Decision.Deny(List.copyOf(against), against.getFirst().sentence());
        }
        return new Decision.Allow(principal(claims), obligations());
    }

    private void consider(Chain.Placed placed, RootClaims claims) {
        deny(rules.against(placed.caveat(), claims.tenant(), request));
        switch (placed.caveat()) {
            case Caveat.Expires(long at) -> expiresAt = Math.min(expiresAt, at);
            case Caveat.Bytes(long max) -> maxBody = Math.min(maxBody, max);
            case Caveat.Rate(long perSecond, long burst) ->
                rates = plus(rates, new Obligations.Rate(counter(placed, claims), perSecond, burst));
            case Caveat.Budget(OptionalLong requests, OptionalLong bytes) ->
                budgets = plus(budgets, new Obligations.Budget(counter(placed, claims), requests, bytes));
            default -> {
                // nothing for the host to do
            }
        }
    }

    private void deny(@Nullable Reason reason) {
        if (reason != null && against.size() < Decision.Deny.MAX_REASONS && !against.contains(reason)) {
            against = plus(against, reason);
        }
    }

    private static Obligations.Counter counter(Chain.Placed placed, RootClaims claims) {
        return new Obligations.Counter(claims.iss(), claims.jti(), placed.blockId(), placed.index());
    }

    private static <T> List<T> plus(List<T> list, T item) {
        List<T> longer = list.isEmpty() ? new ArrayList<>(2) : list;
        longer.add(item);
        return longer;
    }

    private Obligations obligations() {
        if (maxBody == Long.MAX_VALUE && rates.isEmpty() && budgets.isEmpty()) {
            return Obligations.NONE;
        }
        OptionalLong cap = maxBody == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(maxBody);
        return new Obligations(cap, List.copyOf(rates), List.copyOf(budgets));
    }

    private Principal principal(RootClaims claims) {
        List<String> blockIds = chain.blocks().isEmpty()
                ? List.of()
                : chain.blocks().stream().map(Block::id).toList();
        return new Principal(
                claims.iss(), claims.tenant(), claims.sub(), claims.clientId(), claims.jti(), blockIds, expiresAt);
    }
}
