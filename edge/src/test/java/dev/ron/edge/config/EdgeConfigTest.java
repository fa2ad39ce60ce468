package dev.ron.edge.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.edge.TestEdge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The defaults are the seed's, and what cannot be is refused with its key. */
class EdgeConfigTest {
    private static EdgeConfig load(String toml) {
        return TestEdge.load(toml).section(EdgeConfig.class);
    }

    @Test
    void theDefaultsAreTheSeeds() {
        EdgeConfig config = load("");
        assertThat(config.dirCacheBytes().count()).isEqualTo(32 << 20);
        assertThat(config.ingress().timeoutSecs()).isEqualTo(5);
        assertThat(config.ingress().idleSecs()).isEqualTo(60);
        assertThat(config.ingress().maxInflight()).isEqualTo(512);
        assertThat(config.ingress().rpsLimit()).isEqualTo(500);
        assertThat(config.ingress().bodyBytes().count()).isEqualTo(1 << 20);
        assertThat(config.ingress().decompressMaxRatio()).isEqualTo(10);
        assertThat(config.ingress().decompressAbsBytes().count()).isEqualTo(10 << 20);
        EdgeConfig.LiveFillRetry retry = config.retry().liveFill();
        assertThat(retry).isEqualTo(new EdgeConfig.LiveFillRetry(50, 800, 2, true));
        assertThat(config.liveFill().timeoutSecs()).isEqualTo(5);
        assertThat(config.liveFill().swrSecs()).isZero();
    }

    @Test
    void everyKeyOfTheSeedCanBeSet() {
        EdgeConfig config = load("""
                [edge]
                dir_cache_bytes = "2MiB"
                [edge.ingress]
                timeout_secs = 7
                max_inflight = 8
                rps_limit = 9
                body_bytes = "2KiB"
                decompress_max_ratio = 11
                decompress_abs_bytes = "3MiB"
                [edge.retry.live_fill]
                base_ms = 10
                max_ms = 20
                max_retries = 1
                jitter = false
                """);
        assertThat(config.dirCacheBytes().count()).isEqualTo(2 << 20);
        assertThat(config.ingress().timeoutSecs()).isEqualTo(7);
        assertThat(config.ingress().maxInflight()).isEqualTo(8);
        assertThat(config.ingress().rpsLimit()).isEqualTo(9);
        assertThat(config.ingress().bodyBytes().count()).isEqualTo(2048);
        assertThat(config.ingress().decompressMaxRatio()).isEqualTo(11);
        assertThat(config.ingress().decompressAbsBytes().count()).isEqualTo(3 << 20);
        assertThat(config.retry().liveFill()).isEqualTo(new EdgeConfig.LiveFillRetry(10, 20, 1, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"no-store", "public, max-age=3600", "public,max-age=60, s-maxage=5", "private=\"set-cookie, x\""
            })
    void directivesAreTaken(String control) {
        assertThat(load("[edge]\ncache_control = '" + control + "'").cacheControl())
                .isEqualTo(control);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[edge]\\nmissing_tile = 300 | missing_tile",
                "[edge]\\npublic_url = \"https://a/b?c\" | public_url",
                "[edge]\\ncache_control = \"public, max-age=60 \" | cache_control",
                "[edge]\\ncache_control = \"max-age=60\\u000aX: y\" | cache_control",
                "[edge]\\ncache_control = \"max-age=60 \u2014 short\" | cache_control",
                "[edge]\\ncache_control = \"\" | cache_control",
                "[edge.routes.a]\\nprefix = \"a/\"\\nbase = \"https://x/\"\\ncache_control = \"a b\" | cache_control",
                "[edge.routes.a]\\nprefix = \"/a\"\\nbase = \"https://x/\" | prefix",
                "[edge.routes.a]\\nprefix = \"a/\"\\nbase = \"http://x/\" | base",
                "[edge.routes.a]\\nprefix = \"a/\"\\nbase = \"https://u:p@x/\" | base",
                "[edge.retry.live_fill]\\nbase_ms = 900 | base_ms",
                "[edge.live_fill]\\nmin_ttl_secs = 9000 | default_ttl_secs",
                "[edge.ingress]\\nrps_limit = 0 | rps_limit",
                "[edge.live_fill]\\nprivate_nets = [\"10.0.0.0\"] | private_nets"
            })
    void whatCannotBeIsRefusedWithItsKey(String toml, String key) {
        assertThatThrownBy(() -> load(toml.replace("\\n", "\n"))).hasMessageContaining(key);
    }
}
