package dev.ron.http.loop;

import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Listening sockets that a service manager opened and keeps open while one process is replaced by the next.
 *
 * <p>The protocol of systemd's socket activation: {@code LISTEN_FDS} sockets from descriptor 3 on, meant for the process
 * {@code LISTEN_PID}. A listener takes the one that is bound to its port; callers who come between two processes wait in
 * its queue and are served by the next.
 */
public final class InheritedListeners {
    private static final int FIRST = 3;

    private final Map<Integer, EpollServerSocketChannel> byPort = new ConcurrentHashMap<>();

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
                InetSocketAddress address = listener.localAddress();
                if (address != null) {
                    given.byPort.put(address.getPort(), listener);
                }
            }
        }
        return given;
    }

    /** The socket for a port; who asks has it. */
    public Optional<ServerChannel> take(int port) {
        return Optional.ofNullable(byPort.remove(port));
    }
}
