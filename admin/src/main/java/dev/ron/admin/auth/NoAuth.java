package dev.ron.admin.auth;

import dev.ron.http.message.RequestHead;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Mode none: whoever reaches the loopback listener under a name of this machine is the developer. */
public final class NoAuth implements Authenticator {
    private static final Identity DEVELOPER =
            new Identity("dev-operator", "Dev Operator", Set.of(Role.ADMIN), List.of(), Optional.empty(), true);

    private final Origins origins;

    public NoAuth(Origins origins) {
        this.origins = origins;
    }

    @Override
    public Identity identify(RequestHead request) {
        if (!(request.peer() instanceof InetSocketAddress peer)
                || peer.getAddress() == null
                || !peer.getAddress().isLoopbackAddress()) {
            throw new RonException(
                    Code.FORBIDDEN, "untrusted_peer", "without authentication the console serves this machine only");
        }
        if (!origins.isOurHost(request)) {
            throw new RonException(Code.MISDIRECTED, "host", "the console is not reached under this name");
        }
        return DEVELOPER;
    }

    @Override
    public String mode() {
        return "none";
    }
}
