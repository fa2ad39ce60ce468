package dev.ron.gateway.tenant;

import dev.ron.gateway.config.RouteConfig;
import dev.ron.gateway.tenant.RateShares.Standing;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The rate of one route, counted for each tenant or each address; at most so many, the others together. */
public final class RouteRate {
    private static final int MOST = 4096;

    private final String key;
    private final int rate;
    private final double burst;
    private final boolean byAddress;
    private final ConcurrentMap<Object, Bucket> buckets = new ConcurrentHashMap<>();
    private final Bucket others = new Bucket();

    public RouteRate(String route, RouteConfig config) {
        this.key = "gateway.routes." + route + ".rate_limit_rps";
        this.rate = config.rateLimitRps();
        this.burst = RateShares.burst(Math.max(1, rate), config.rateLimitBurst());
        this.byAddress = config.rateLimitKey() == RouteConfig.RateKey.IP;
    }

    public Standing take(Account account, SocketAddress peer, long now) {
        if (rate == 0) {
            return Standing.NONE;
        }
        Bucket bucket = bucket(byAddress && peer instanceof InetSocketAddress at ? at.getAddress() : account.key());
        boolean passes = bucket.take(rate, burst, 0, now);
        double left = bucket.level(rate, burst, now);
        if (!passes) {
            account.countOverRate();
            throw RateShares.refusal(key, rate, (1 - left) / rate);
        }
        return new Standing(rate, (int) left, (int) Math.ceil((burst - left) / rate));
    }

    private Bucket bucket(Object who) {
        Bucket known = buckets.get(who);
        if (known != null) {
            return known;
        }
        // A little beyond the bound if many come at once; a bucket is three fields.
        return buckets.size() >= MOST ? others : buckets.computeIfAbsent(who, w -> new Bucket());
    }

    /** Forgets who has been away long enough to have a full bucket anyway. */
    public void sweep(long now) {
        if (rate > 0) {
            buckets.values().removeIf(bucket -> bucket.level(rate, burst, now) >= burst);
        }
    }
}
