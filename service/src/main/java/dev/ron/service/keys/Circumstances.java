package dev.ron.service.keys;

import dev.ron.http.message.RequestHead;
import dev.ron.kernel.time.Clock;
import dev.ron.token.caveat.Binding;
import dev.ron.token.verify.RequestContext;
import java.net.InetSocketAddress;
import java.util.Optional;

/** What a request tells the caveats of its token; the length of its body and a scope are the caller's to add. */
public final class Circumstances {

    private Circumstances() {}

    public static RequestContext.Builder of(RequestHead request, Clock clock) {
        RequestContext.Builder context = RequestContext.at(clock.now().getEpochSecond())
                .method(request.method())
                .path(request.path());
        if (request.peer() instanceof InetSocketAddress peer && peer.getAddress() != null) {
            context.peer(peer.getAddress());
        }
        certificate(request).ifPresent(context::certificateThumbprint);
        return context;
    }

    /** The thumbprint of the certificate that the client has shown in the handshake. */
    public static Optional<String> certificate(RequestHead request) {
        return request.clientCertificates().stream().findFirst().map(Binding::thumbprint);
    }
}
