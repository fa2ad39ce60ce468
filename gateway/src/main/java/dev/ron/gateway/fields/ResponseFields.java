package dev.ron.gateway.fields;

import static java.util.Map.entry;

import dev.ron.gateway.fields.FieldTable.Rule;
import dev.ron.gateway.tenant.RateShares;
import dev.ron.http.message.Headers;
import java.util.List;
import java.util.Map;

/** Makes the header fields of the answer from those of the upstream; order and repetition are kept. */
public final class ResponseFields {
    private static final FieldTable TABLE = new FieldTable(
            Map.ofEntries(
                    entry("connection", Rule.CONNECTION),
                    entry("keep-alive", Rule.DROP),
                    entry("proxy-connection", Rule.DROP),
                    entry("te", Rule.DROP),
                    entry("trailer", Rule.DROP),
                    entry("transfer-encoding", Rule.DROP),
                    entry("upgrade", Rule.DROP),
                    entry("proxy-authenticate", Rule.DROP),
                    // the host writes these
                    entry("content-length", Rule.DROP),
                    entry("date", Rule.DROP),
                    entry("x-corr-id", Rule.DROP),
                    entry("via", Rule.VIA),
                    // what is behind us is nobody's business
                    entry("server", Rule.DROP),
                    entry("x-powered-by", Rule.DROP),
                    entry("x-user", Rule.DROP),
                    entry("x-groups", Rule.DROP),
                    entry("x-tenant", Rule.DROP)),
            List.of("x-ron-", "x-auth-"));

    private final Via via;

    public ResponseFields(Via via) {
        this.via = via;
    }

    /** The fields of an answer before the answer. */
    public Headers informing(Headers from) {
        return make(from, RateShares.Standing.NONE);
    }

    /** @param standing told to the caller where its rate is limited */
    public Headers make(Headers from, RateShares.Standing standing) {
        Headers.Builder to = new Headers.Builder();
        TABLE.copyPassing(from, ConnectionTokens.of(from), to);
        via.append(from, to);
        if (standing.limit() > 0) {
            to.add("ratelimit-limit", Integer.toString(standing.limit()));
            to.add("ratelimit-remaining", Integer.toString(standing.remaining()));
            to.add("ratelimit-reset", Integer.toString(standing.resetSeconds()));
        }
        return to.build();
    }

    /** The fields that follow a body whose head was this. */
    public Headers trailers(Headers head, Headers from) {
        return TABLE.trailers(head, from);
    }
}
