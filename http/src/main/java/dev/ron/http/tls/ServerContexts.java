package dev.ron.http.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ReferenceCounted;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLException;

/** The contexts made from one set of certificates; they come and go together. */
final class ServerContexts extends AbstractReferenceCounted {
    private final ServerCertificates certificates;
    private final Map<String, SslContext> byEntry = new HashMap<>();

    ServerContexts(ServerCertificates certificates, TlsOptions options) {
        this.certificates = certificates;
        try {
            byEntry.put("", build(certificates.standard(), options));
            for (Map.Entry<String, TlsIdentity> host : certificates.byHost().entrySet()) {
                byEntry.put(host.getKey(), build(host.getValue(), options));
            }
        } catch (RuntimeException bad) {
            deallocate();
            throw bad;
        }
    }

    private SslContext build(TlsIdentity identity, TlsOptions options) {
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(identity.key(), identity.chain());
            if (!certificates.clientRoots().isEmpty()) {
                builder.trustManager(certificates.clientRoots())
                        .clientAuth(certificates.clientsRequired() ? ClientAuth.REQUIRE : ClientAuth.OPTIONAL);
            }
            return options.engine().apply(builder, options).build();
        } catch (SSLException e) {
            throw new IllegalArgumentException("certificate " + identity + " cannot be used: " + e.getMessage(), e);
        }
    }

    ServerCertificates certificates() {
        return certificates;
    }

    SslContext forHost(String host) {
        SslContext found = byEntry.get(certificates.entryFor(host));
        if (found == null) {
            throw new IllegalStateException("no context for an entry");
        }
        return found;
    }

    @Override
    protected void deallocate() {
        byEntry.values().forEach(ReferenceCountUtil::release);
        byEntry.clear();
    }

    @Override
    public ReferenceCounted touch(Object hint) {
        return this;
    }
}
