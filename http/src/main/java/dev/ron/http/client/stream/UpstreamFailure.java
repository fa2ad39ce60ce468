package dev.ron.http.client.stream;

import dev.ron.http.client.Target;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;

/** Why a call brought no whole response; the kind says what may be done about it. */
public final class UpstreamFailure extends RonException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** At which step it broke. */
    public enum Kind {
        /** Every connection is in use, and enough calls wait already or this one has waited until its deadline. */
        BUSY(Code.UNAVAILABLE, "shed", false),
        /** No connection: refused, unreachable, TLS. Nothing was sent. */
        CONNECT(Code.UPSTREAM_CONNECT, "upstream_unavailable", false),
        CONNECT_TIMEOUT(Code.UPSTREAM_TIMEOUT, "upstream_timeout", false),
        /** A connection that had been idle ended before any byte of a response: the far side may just have closed it. */
        STALE(Code.UPSTREAM_CONNECT, "upstream_unavailable", false),
        RESET(Code.UPSTREAM_CONNECT, "upstream_unavailable", false),
        /** No response head before the deadline. */
        TIMEOUT(Code.UPSTREAM_TIMEOUT, "upstream_timeout", false),
        PROTOCOL(Code.UPSTREAM_PARSE, "upstream_protocol", false),
        /** The body broke off, went on too slowly or was malformed. */
        BROKEN_BODY(Code.UPSTREAM_PARSE, "upstream_protocol", true),
        STALLED(Code.UPSTREAM_TIMEOUT, "upstream_timeout", true),
        CLOSED(Code.DRAINING, "draining", false);

        private final Code code;
        private final String reason;
        private final boolean afterHead;

        Kind(Code code, String reason, boolean afterHead) {
            this.code = code;
            this.reason = reason;
            this.afterHead = afterHead;
        }

        /** Whether the head of the response had been delivered. */
        public boolean afterHead() {
            return afterHead;
        }

        /** Whether surely not a byte of the request was read by the far side. */
        public boolean nothingSent() {
            return this == BUSY || this == CONNECT || this == CONNECT_TIMEOUT || this == CLOSED;
        }
    }

    UpstreamFailure(Kind kind, Target target, String what) {
        super(kind.code, kind.reason, target + ": " + what);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
