package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.config.EdgeConfig;
import org.junit.jupiter.api.Test;

class CacheBytesTest {
    private static final long MIB = 1 << 20;

    // a cache larger than what the process may hold outside the heap  ->  as much of it as fits, or the process would
    // end
    @Test
    void theCacheIsNoLargerThanWhatTheProcessMayHold() {
        EdgeConfig config = TestEdge.load("[edge]\ncache_bytes = \"512MiB\"\n").section(EdgeConfig.class);
        assertThat(EdgeService.cacheBytes(config, 256 * MIB)).isEqualTo(160 * MIB);
        assertThat(EdgeService.cacheBytes(config, 784 * MIB)).isEqualTo(512 * MIB);
    }
}
