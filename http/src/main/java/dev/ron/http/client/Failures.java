package dev.ron.http.client;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.channel.ConnectTimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The failures of a call, each with a reason that says at which step it broke. */
final class Failures {
    private Failures() {}

    static RonException unknownHost(String host) {
        return new RonException(Code.UPSTREAM_CONNECT, "upstream_dns", "host " + host + " has no address");
    }

    static RonException noConnection(Target target, int limit) {
        return timeout(target + ": all " + limit + " connections were in use until the deadline");
    }

    static RonException timeout(String detail) {
        return new RonException(Code.UPSTREAM_TIMEOUT, "upstream_timeout", detail);
    }

    static RonException connect(Target target, Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return timeout(target + ": connecting took too long");
        }
        if (cause instanceof SSLException || cause.getCause() instanceof SSLException) {
            return handshake(target, cause);
        }
        return new RonException(Code.UPSTREAM_CONNECT, "upstream_connect", target + ": cannot connect", null, cause);
    }

    static RonException handshake(Target target, @Nullable Throwable cause) {
        return new RonException(Code.UPSTREAM_CONNECT, "upstream_tls", target + ": TLS handshake failed", null, cause);
    }

    static RonException reset(Target target) {
        return new RonException(
                Code.UPSTREAM_CONNECT, "upstream_reset", target + ": connection ended before the response");
    }

    static RonException truncated(Target target) {
        return new RonException(
                Code.UPSTREAM_PARSE, "upstream_truncated", target + ": connection ended inside the response");
    }

    static RonException parse(Target target, String what) {
        return new RonException(Code.UPSTREAM_PARSE, "upstream_parse", target + ": " + what);
    }

    static RonException tooLarge(Target target, long limit) {
        return new RonException(
                Code.UPSTREAM_PARSE, "upstream_too_large", target + ": response body beyond " + limit + " bytes");
    }

    static RonException closed() {
        return new RonException(Code.DRAINING, "draining", "the client is closed");
    }

    static RonException tooManyTargets(int limit) {
        return new RonException(Code.BUSY, "busy", "connections to " + limit + " targets are open already");
    }

    /** Failed before any byte of a response, on a connection that had been idle: the far side may just have closed it. */
    static final class Stale extends RonException {
        private static final long serialVersionUID = 1L;

        private final boolean nothingSent;

        Stale(Target target, boolean nothingSent) {
            super(Code.UPSTREAM_CONNECT, "upstream_reset", target + ": connection ended before the response");
            this.nothingSent = nothingSent;
        }

        boolean mayRetry(ClientRequest request) {
            return nothingSent || request.idempotent();
        }
    }
}
