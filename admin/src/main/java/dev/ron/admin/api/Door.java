package dev.ron.admin.api;

import dev.ron.admin.AdminMetrics;
import dev.ron.admin.auth.Access;
import dev.ron.admin.auth.Authenticator;
import dev.ron.admin.auth.Csrf;
import dev.ron.admin.auth.Identity;
import dev.ron.http.message.Request;
import dev.ron.http.message.RequestHead;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;

/** Stands before every route: who asks, whether that one may, and whether the request is really theirs. */
final class Door {
    private final Authenticator authenticator;
    private final Csrf csrf;
    private final AdminMetrics metrics;

    Door(Authenticator authenticator, Csrf csrf, AdminMetrics metrics) {
        this.authenticator = authenticator;
        this.csrf = csrf;
        this.metrics = metrics;
    }

    /** Hears of a known caller who is refused at the door; gives back what that caller is told. */
    interface TurnedAway {
        RonException hear(Request request, Identity identity, RonException refused);
    }

    /** The handler of a route that asks for an identity. */
    BlockingHandler guard(Endpoint endpoint, Call call) {
        return guard(endpoint, call, (request, identity, refused) -> refused);
    }

    BlockingHandler guard(Endpoint endpoint, Call call, TurnedAway turnedAway) {
        return request -> {
            try {
                Identity identity = identify(request);
                try {
                    requireRole(endpoint.access(), identity);
                    if (endpoint.unsafe()) {
                        requireOwn(request, identity);
                    }
                } catch (RonException refused) {
                    throw turnedAway.hear(request, identity, refused);
                }
                return safe(call.handle(request, identity), request);
            } catch (RonException refused) {
                return problem(refused, request);
            }
        };
    }

    /** The handler of an open route. */
    static BlockingHandler open(BlockingHandler handler) {
        return request -> {
            try {
                return safe(handler.handle(request), request);
            } catch (RonException refused) {
                return problem(refused, request);
            }
        };
    }

    Identity admit(Access access, RequestHead request) {
        Identity identity = identify(request);
        requireRole(access, identity);
        return identity;
    }

    private Identity identify(RequestHead request) {
        try {
            return authenticator.identify(request);
        } catch (RonException refused) {
            metrics.authFailed(refused.reason());
            throw refused;
        }
    }

    private void requireRole(Access access, Identity identity) {
        if (!access.allows(identity.roles())) {
            metrics.authFailed("role");
            throw new RonException(Code.FORBIDDEN, "forbidden", "this needs the role " + access.words());
        }
    }

    private void requireOwn(Request request, Identity identity) {
        try {
            csrf.require(request, identity);
        } catch (RonException refused) {
            metrics.csrfFailed();
            throw refused;
        }
    }

    /** For the one unsafe route that has no identity yet. */
    void requireOwnPage(Request request) {
        try {
            csrf.requireOwnPage(request, false);
        } catch (RonException refused) {
            metrics.csrfFailed();
            throw refused;
        }
    }

    private static Response safe(Response response, RequestHead request) {
        return SecurityHeaders.on(Gzip.where(response, request), request.secure());
    }

    static Response problem(RonException refused, RequestHead request) {
        Response response = Response.problem(refused, request);
        return safe(
                refused.code() == Code.UNAUTHENTICATED ? response.withHeader("WWW-Authenticate", "Bearer") : response,
                request);
    }
}
