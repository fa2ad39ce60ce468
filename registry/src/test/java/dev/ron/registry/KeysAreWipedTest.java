package dev.ron.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.time.Clock;
import dev.ron.ledger.sign.Ed25519SigningKey;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.tlog.LogKeys;
import dev.ron.registry.tlog.Notary;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.Section;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a log signs with does not stay in memory when the registry has stopped. */
class KeysAreWipedTest {
    static final RegistryConfig CONFIG = ConfigLoader.builtIn(Section.of("registry", RegistryConfig.class), Map.of());

    @TempDir
    Path folder;

    @Test
    void inMemory() throws Exception {
        wipedWhenClosed(Optional.empty());
    }

    @Test
    void onDisk() throws Exception {
        wipedWhenClosed(Optional.of(folder));
    }

    private static void wipedWhenClosed(Optional<Path> at) throws Exception {
        Setup setup = new Setup(
                "127.0.0.1",
                0,
                at.map(root -> root.resolve("registry")),
                Optional.empty(),
                true,
                at.map(root -> root.resolve("keys")),
                1024,
                Optional::empty);
        LogFolder log = LogFolder.open(setup, CONFIG, RealDisk::new, Clock.system());
        LogKeys keys = log.logKeys();
        Notary notary = new Notary(keys, log.registry().view(), Clock.system(), Duration.ZERO);
        assertThat(notary.checkpoint(log.registry().view())).isNotNull();
        for (Ed25519SigningKey key : List.of(keys.identity(), keys.freshness())) {
            assertThat(key.seed()).isNotEqualTo(new byte[Ed25519SigningKey.SEED_BYTES]);
        }
        log.close();
        for (Ed25519SigningKey key : List.of(keys.identity(), keys.freshness())) {
            assertThat(key.seed()).isEqualTo(new byte[Ed25519SigningKey.SEED_BYTES]);
        }
        assertThatThrownBy(() -> notary.checkpoint(log.registry().view())).isInstanceOf(IllegalStateException.class);
    }
}
