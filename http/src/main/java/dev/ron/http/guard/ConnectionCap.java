package dev.ron.http.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds the open connections, and the share of them that one address may hold.
 *
 * <p>Both are taken by compare-and-set before the connection is served, so neither is ever exceeded.
 */
public final class ConnectionCap {
    private static final int IPV4_BYTES = 4;
    private static final int HALF_OF_IPV6 = 8;
    private static final int RESERVE = 64; // of so many places, one is kept for who comes next

    private volatile int max;
    private volatile int maxPerSource;
    private final AtomicInteger open = new AtomicInteger();
    private final ConcurrentHashMap<InetAddress, Integer> bySource = new ConcurrentHashMap<>();

    public ConnectionCap(int max, int maxPerSource) {
        this.max = max;
        this.maxPerSource = maxPerSource;
    }

    /** Changes both bounds; who is in stays. */
    public void resize(int all, int perSource) {
        max = all;
        maxPerSource = perSource;
    }

    /** Whether so few places are left that someone idle should go. */
    public boolean crowded() {
        return open.get() > max - Math.max(1, max / RESERVE);
    }

    /** What counts as one address: of IPv6 a whole /64, which is what one line or one host is given. */
    public static InetAddress network(InetAddress source) {
        byte[] bytes = source.getAddress();
        if (bytes.length == IPV4_BYTES) {
            return source;
        }
        Arrays.fill(bytes, HALF_OF_IPV6, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // the length is that of an address
        }
    }

    /** Which {@link #network} holds most connections. */
    public Optional<InetAddress> largestSource() {
        return bySource.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    public boolean tryEnter(InetAddress source) {
        return tryEnter(source, maxPerSource);
    }

    /** The same for a peer that passes on the connections of many: only the bound on all holds for it. */
    public boolean tryEnterShared(InetAddress source) {
        return tryEnter(source, Integer.MAX_VALUE);
    }

    private boolean tryEnter(InetAddress source, int share) {
        int now = open.get();
        while (true) {
            if (now >= max) {
                return false;
            }
            if (open.compareAndSet(now, now + 1)) {
                break;
            }
            now = open.get();
        }
        boolean[] within = new boolean[1];
        bySource.compute(network(source), (address, held) -> {
            int count = held == null ? 0 : held;
            within[0] = count < share;
            return within[0] ? Integer.valueOf(count + 1) : held;
        });
        if (!within[0]) {
            open.decrementAndGet();
        }
        return within[0];
    }

    public void leave(InetAddress source) {
        bySource.computeIfPresent(network(source), (address, held) -> held > 1 ? held - 1 : null);
        open.decrementAndGet();
    }

    public int open() {
        return open.get();
    }
}
