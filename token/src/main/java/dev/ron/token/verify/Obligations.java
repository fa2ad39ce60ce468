package dev.ron.token.verify;

import java.util.List;
import java.util.OptionalLong;

/**
 * What the host must still enforce: only it sees the body and counts across requests.
 *
 * <p>Counters are bounded per root id; when there is no room for another the host denies, and never resets one.
 */
public record Obligations(OptionalLong maxBodyBytes, List<Rate> rates, List<Budget> budgets) {
    public static final Obligations NONE = new Obligations(OptionalLong.empty(), List.of(), List.of());

    /**
     * Names one counter. A root's counter is shared by all its branches, so attenuating never resets it.
     *
     * @param blockId the block that carries the caveat, or empty for the root
     */
    public record Counter(String iss, String tokenId, String blockId, int index) {}

    /** At most {@code perSecond} requests, with bursts of {@code burst}. */
    public record Rate(Counter counter, long perSecond, long burst) {}

    /** At most so many requests and body bytes over the token's life. */
    public record Budget(Counter counter, OptionalLong requests, OptionalLong bytes) {}

    public boolean isEmpty() {
        return maxBodyBytes.isEmpty() && rates.isEmpty() && budgets.isEmpty();
    }
}
