package dev.ron.http.loop;

import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Listening sockets that a service manager opened and keeps open while one process is replaced by the next.
 *
 * <p>The protocol of systemd's socket activation: {@code LISTEN_FDS} sockets from descriptor 3 on, meant for the process
 * {@code LISTEN_PID}. A listener takes the one that is bound to its port; callers who come between two processes wait in
 * its queue and are served by the next. A listener of this machine alone takes none that others can reach.
 */
public final class InheritedListeners {
    private static final int FIRST = 3;

    private final List<EpollServerSocketChannel> left = new CopyOnWriteArrayList<>();

    private InheritedListeners() {}

    public static InheritedListeners none() {
        return new InheritedListeners();
    }

    /** What this environment says was handed to the process with this id. */
    public static InheritedListeners of(Map<String, String> environment, long pid) {
        InheritedListeners given = new InheritedListeners();
        String count = environment.getOrDefault("LISTEN_FDS", "");
        boolean ours = environment.getOrDefault("LISTEN_PID", "").equals(Long.toString(pid));
        if (ours && count.matches("[1-9][0-9]?") && Epoll.isAvailable()) {
            for (int fd = FIRST; fd < FIRST + Integer.parseInt(count); fd++) {
                EpollServerSocketChannel listener = new EpollServerSocketChannel(fd);
                if (listener.localAddress() != null) {
                    given.left.add(listener);
                }
            }
        }
        return given;
    }

    /** The socket for a listener; who asks has it. */
    Optional<ServerChannel> take(InetSocketAddress meant) {
        Optional<EpollServerSocketChannel> found = left.stream()
                .filter(listener -> listener.localAddress().getPort() == meant.getPort())
                .findFirst();
        found.map(EpollServerSocketChannel::localAddress)
                .filter(given -> meant.getAddress().isLoopbackAddress()
                        && !given.getAddress().isLoopbackAddress())
                .ifPresent(given -> {
                    throw new TooOpen(given, meant);
                });
        return found.filter(left::remove).map(ServerChannel.class::cast);
    }

    /** What nobody has asked for; who asks has it. */
    List<ServerChannel> takeRest() {
        List<ServerChannel> rest = List.copyOf(left);
        left.clear();
        return rest;
    }
}
