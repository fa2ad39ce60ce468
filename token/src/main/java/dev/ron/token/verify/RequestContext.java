package dev.ron.token.verify;

import java.net.InetAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The request a token is presented with. What is not stated is unknown, and a caveat about something unknown denies.
 *
 * <p>The path must be the one the host routes by, already normalised; the peer address must come from the connection or
 * from trusted proxies only.
 */
public final class RequestContext {
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    final long now;
    final @Nullable String method;
    final @Nullable String path;
    final @Nullable String scope;
    final @Nullable String tenant;
    final @Nullable InetAddress peer;
    final @Nullable String dpopThumbprint;
    final @Nullable String certificateThumbprint;
    final long contentLength;
    final boolean reads;

    private RequestContext(Builder builder) {
        this.now = builder.now;
        this.method = builder.method;
        this.path = builder.path;
        this.scope = builder.scope;
        this.tenant = builder.tenant;
        this.peer = builder.peer;
        this.dpopThumbprint = builder.dpopThumbprint;
        this.certificateThumbprint = builder.certificateThumbprint;
        this.contentLength = builder.contentLength;
        this.reads = builder.reads || (method != null && SAFE_METHODS.contains(method));
    }

    /** Whether the request changes nothing. */
    public boolean reads() {
        return reads;
    }

    /** Starts a context at a second since 1970. */
    public static Builder at(long now) {
        return new Builder(now);
    }

    /** Collects what is known about the request. */
    public static final class Builder {
        private final long now;
        private @Nullable String method;
        private @Nullable String path;
        private @Nullable String scope;
        private @Nullable String tenant;
        private @Nullable InetAddress peer;
        private @Nullable String dpopThumbprint;
        private @Nullable String certificateThumbprint;
        private long contentLength = -1;
        private boolean reads;

        private Builder(long now) {
            this.now = now;
        }

        public Builder method(String value) {
            this.method = value;
            return this;
        }

        public Builder path(String value) {
            this.path = value;
            return this;
        }

        /** The operation's label, such as {@code registry:propose}. */
        public Builder scope(String value) {
            this.scope = value;
            return this;
        }

        /** The tenant the request is for, where the host knows it otherwise than from the token. */
        public Builder tenant(String value) {
            this.tenant = value;
            return this;
        }

        public Builder peer(InetAddress value) {
            this.peer = value;
            return this;
        }

        /** The key of a DPoP proof that the host has checked. */
        public Builder dpopThumbprint(String value) {
            this.dpopThumbprint = value;
            return this;
        }

        /** The client certificate of the connection. */
        public Builder certificateThumbprint(String value) {
            this.certificateThumbprint = value;
            return this;
        }

        /** The declared body length; left out, a {@code bytes} caveat becomes a streaming cap only. */
        public Builder contentLength(long value) {
            this.contentLength = value;
            return this;
        }

        /** States that the operation changes nothing, where the method does not say so. */
        public Builder readOnly() {
            this.reads = true;
            return this;
        }

        public RequestContext build() {
            return new RequestContext(this);
        }
    }
}
