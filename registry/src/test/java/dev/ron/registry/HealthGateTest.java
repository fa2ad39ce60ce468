package dev.ron.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.registry.book.Command;
import dev.ron.registry.book.Forgery;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Signers;
import dev.ron.registry.disk.FaultyDisk;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.tlog.Archive;
import dev.ron.registry.tlog.Notary;
import dev.ron.registry.tlog.Witness;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigChange;
import dev.ron.service.reload.ConfigSubscriber;
import dev.ron.service.reload.ReloadOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What ails the log turns writes away and leaves reads alone.
 *
 * <p>Nobody writes here but the service itself: the proposals of the log have expired long ago, and about a second after the
 * start the committer writes that they have.
 */
@Timeout(60)
class HealthGateTest {
    private static final int EXPIRED = 12;

    private final Signers council = new Signers(2, 3);
    private final FaultyDisk disk = new FaultyDisk();

    @TempDir
    Path outside;

    private Path witness;

    @BeforeEach
    void aLogWithProposalsThatHaveExpired() throws Exception {
        witness = outside.resolve("head");
        council.logKeys.write(disk);
        try (SegmentStore store = SegmentStore.open(disk, 2048)) {
            Registry registry = council.create(store);
            council.commit(registry, council.put("svc.a", 0, "http://a"));
            for (int i = 0; i < EXPIRED; i++) {
                Signers.take(registry, new Command.Propose(council.put("svc." + i, 0, "http://" + i)));
            }
            new Witness(disk, "HEAD").remember(registry.view());
            Rollback.outside(witness).remember(registry.view());
            Notary notary = new Notary(council.logKeys, registry.view(), Clock.system(), Duration.ofMinutes(1));
            new Archive(disk, registry).store(registry.view(), notary.checkpoint(registry.view()));
        }
    }

    private ServedLog serve() throws Exception {
        return new ServedLog(disk, witness);
    }

    private static void turnsAwayWritesOnly(ServedLog log, String why) {
        Eventually.await(
                "writes are turned away", () -> log.get("/readyz/write").statusCode() == 503);
        assertThat(log.get("/readyz/write").body()).contains(why);
        assertThat(log.get("/readyz").statusCode()).isEqualTo(200);
        assertThat(log.get("/registry/head").statusCode()).isEqualTo(200);
        assertThat(log.get("/registry/descriptors/svc.a").statusCode()).isEqualTo(200);
    }

    private static void isReady(ServedLog log) {
        Eventually.await("writes are taken", () -> log.get("/readyz/write").statusCode() == 200);
        assertThat(log.get("/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void aLogThatIsWholeIsReadyAndItsOldProposalsAreClosed() throws Exception {
        try (ServedLog log = serve()) {
            isReady(log);
            Eventually.await(
                    "nothing waits any more", () -> log.service.waiting().isEmpty());
            assertThat(log.get("/registry/audit").body()).contains("\"expire\"");
        }
    }

    // the registry changes over | a part behind it fails to  ->  the registry goes back too, and counts it
    @Test
    void aReloadThatFailsElsewhereIsPutBack() throws Exception {
        try (ServedLog log = serve()) {
            assertThat(log.reload("registry.limits.rps=7").outcome()).isEqualTo(ReloadOutcome.APPLIED);
            assertThat(log.metrics())
                    .containsPattern("registry_reload_success_total\\{[^}]*\\} 1")
                    .containsPattern("registry_reload_fail_total\\{[^}]*\\} 0");
            log.frame.reloader().subscribe(new ConfigSubscriber() {
                @Override
                public String name() {
                    return "another";
                }

                @Override
                public Change prepare(Config next, List<ConfigChange> changes) {
                    return Change.of(
                            () -> {
                                throw new IllegalStateException("cannot change over");
                            },
                            () -> {});
                }
            });
            assertThat(log.reload("registry.limits.rps=9").outcome()).isEqualTo(ReloadOutcome.ROLLED_BACK);
            assertThat(log.metrics()).containsPattern("registry_reload_fail_total\\{[^}]*\\} 1");
            assertThat(log.frame
                            .current()
                            .section(RegistryConfig.class)
                            .limits()
                            .rps())
                    .isEqualTo(7);
        }
    }

    @Test
    void aFullDisk() throws Exception {
        disk.capacity(disk.used());
        try (ServedLog log = serve()) {
            turnsAwayWritesOnly(log, "no space left");
            disk.capacity(Long.MAX_VALUE);
            isReady(log);
        }
    }

    @Test
    void aSyncThatFails() throws Exception {
        AtomicInteger syncs = new AtomicInteger();
        // The first is that of the start.
        disk.failSyncsOf(name -> name.startsWith("log/") && syncs.incrementAndGet() == 2);
        try (ServedLog log = serve()) {
            turnsAwayWritesOnly(log, "Input/output error");
        }
        assertThat(syncs.get()).as("it is never tried again").isEqualTo(2);
    }

    @Test
    void aSyncThatTakesLong() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger syncs = new AtomicInteger();
        disk.onSyncOf(name -> {
            if (name.startsWith("log/") && syncs.incrementAndGet() == 2) {
                await(go);
            }
        });
        try (ServedLog log = serve()) {
            turnsAwayWritesOnly(log, "longer than a second");
            go.countDown();
        } finally {
            go.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // the log is rotten in its middle | the service starts and stops  ->  what remembers the longer log is as it was
    @Test
    void rotInTheLog() throws Exception {
        String second = "log/" + disk.list("log").get(1);
        disk.flip(second, 60, 3);
        byte[] damaged = disk.content(second);
        byte[] head = disk.content("HEAD");
        byte[] checkpoint = disk.content("tlog/checkpoint");
        String remembered = Files.readString(witness);
        try (ServedLog log = new ServedLog(disk, witness, "registry.storage.checkpoint_interval=1s")) {
            Eventually.await(
                    "writes are turned away", () -> log.get("/readyz/write").statusCode() == 503);
            assertThat(log.get("/readyz/write").body()).contains("is damaged at byte");
            assertThat(log.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(log.get("/registry/head").body()).contains("\"version\":1");
        }
        assertThat(disk.content("HEAD")).isEqualTo(head);
        assertThat(disk.content("tlog/checkpoint")).isEqualTo(checkpoint);
        assertThat(Files.readString(witness)).isEqualTo(remembered);
        assertThat(disk.content(second)).as("nothing is cut off").isEqualTo(damaged);
    }

    @Test
    void aVoteThatNobodySigned() throws Exception {
        try (SegmentStore store = SegmentStore.open(disk, 2048)) {
            Registry registry = Registry.open(store, Limits.DEFAULT).orElseThrow();
            Forgery.commit(registry, council, council.put("svc.forged", 0, "http://forged"));
        }
        try (ServedLog log = serve()) {
            turnsAwayWritesOnly(log, "does not match");
            Eventually.await(
                    "it is frozen", () -> log.get("/registry/head").body().contains("\"frozen\":true"));
        }
    }
}
