package dev.ron.edge.fill;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.ron.http.client.Addresses;
import dev.ron.http.client.Target;
import dev.ron.http.client.stream.Endpoint;
import dev.ron.http.client.stream.StreamClient;
import dev.ron.http.client.stream.StreamOptions;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connections to origins, each made to an address that was vetted for this very call; a few idle ones are kept. */
final class Origins implements AutoCloseable {
    private static final int MOST = 1024;
    private static final Duration IDLE = Duration.ofSeconds(15);

    private final StreamClient client;
    private final Addresses addresses;
    private final StreamOptions options;
    private final Cache<Place, Endpoint> endpoints = Caffeine.newBuilder()
            .maximumSize(MOST)
            .executor(Runnable::run)
            .removalListener((@Nullable Place _, @Nullable Endpoint endpoint, RemovalCause _) -> {
                if (endpoint != null) {
                    endpoint.retire();
                }
            })
            .build();

    private record Place(Target origin, InetSocketAddress address) {}

    /** @param most fetches at a time: so many connections may lead to one address */
    Origins(StreamClient client, Addresses addresses, Duration connectLimit, int most) {
        this.client = client;
        this.addresses = addresses;
        this.options = new StreamOptions(most, most, connectLimit, IDLE);
    }

    /** Where a request may be sent: resolved and vetted now, and dialled exactly there; one after the other. */
    Iterator<Endpoint> endpoints(Target origin, Deadline deadline) {
        List<InetSocketAddress> vetted = addresses.resolve(origin.host(), origin.port(), deadline);
        if (vetted.isEmpty()) {
            throw new RonException(Code.UPSTREAM_CONNECT, "upstream", origin.host() + " has no address");
        }
        return vetted.stream()
                .map(address -> endpoints.get(
                        new Place(origin, address), key -> client.endpoint(key.origin(), key.address(), options)))
                .iterator();
    }

    @Override
    public void close() {
        endpoints.asMap().values().forEach(Endpoint::close);
        endpoints.invalidateAll();
    }
}
