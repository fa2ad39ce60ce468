package dev.ron.registry;

import dev.ron.http.server.HttpHost;
import dev.ron.kernel.sync.Permits;
import dev.ron.ledger.state.Held;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.View;
import dev.ron.registry.commit.DiskState;
import dev.ron.registry.commit.Queues;
import dev.ron.registry.disk.Disk;
import dev.ron.registry.store.StoreFault;
import dev.ron.registry.task.DeepVerifier;
import dev.ron.registry.tlog.Notary;
import dev.ron.service.health.KeyState;
import dev.ron.service.health.Need;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.metrics.HttpMetrics;
import dev.ron.service.metrics.ServiceMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the registry can be written, and its numbers; what ails the disk turns writes away and leaves reads alone. */
final class RegistryHealth {
    private final Registry registry;
    private final DiskState state;
    private final Optional<Disk> disk;
    private final DeepVerifier verifier;
    private final ServiceContext context;

    RegistryHealth(
            Registry registry, DiskState state, Optional<Disk> disk, DeepVerifier verifier, ServiceContext context) {
        this.registry = registry;
        this.state = state;
        this.disk = disk;
        this.verifier = verifier;
        this.context = context;
    }

    void bind(Queues queues, HttpHost host, Notary notary, Permits streams) {
        context.readiness().queue(queues.proposals(), Need.WRITE);
        context.readiness().queue(queues.approvals(), Need.WRITE);
        context.readiness().queue(queues.commits(), Need.WRITE);
        context.readiness().requireLive(this::keys);
        ServiceMetrics metrics = context.metrics();
        HttpMetrics.inflight(metrics, host::inflight);
        metrics.gauge("registry_head_version", "The newest version.", () -> view().version());
        metrics.gauge(
                "registry_minimum_version", "The first version whose payload is kept.", () -> view().minimumVersion());
        metrics.gauge(
                "registry_pending_proposals",
                "Proposals that wait for votes.",
                () -> registry.book().pending());
        metrics.gauge(
                "registry_descriptors",
                "Descriptors that are not removed.",
                () -> view().ledger()
                        .state()
                        .all()
                        .map(Held::descriptor)
                        .filter(descriptor -> descriptor.isLive())
                        .count());
        metrics.gauge(
                "registry_signers",
                "Signers that may vote.",
                () -> view().ledger().signers().n());
        metrics.gauge(
                "registry_storage_bytes", "The log.", () -> registry.store().bytes());
        metrics.gauge(
                "registry_log_segments",
                "Files of the log.",
                () -> registry.store().segments());
        metrics.gauge(
                "registry_tail_truncated_bytes",
                "What the last start found of a batch that a crash left unfinished.",
                () -> registry.recovery().truncatedBytes());
        metrics.gauge("registry_checkpoint_age_seconds", "Age of the newest signed head.", notary::ageSeconds);
        metrics.gauge(
                "audit_chain_verified_version",
                "The last version that was checked again in the background.",
                verifier::verified);
        metrics.counts(
                "audit_chain_verify_failures_total",
                "Checks in the background that found damage.",
                List.of(),
                () -> Map.of(List.of(), verifier.failures()));
        metrics.gauge("stream_clients", "Readers of the stream.", () -> streams.inUse());
    }

    private View view() {
        return registry.view();
    }

    private List<KeyState> keys() {
        Optional<String> trouble = trouble();
        Optional<String> frozen = view().frozen();
        return List.of(
                new KeyState("storage", Need.WRITE, trouble.isEmpty(), trouble.orElse("")),
                new KeyState("thawed", Need.WRITE, frozen.isEmpty(), frozen.orElse("")));
    }

    private Optional<String> trouble() {
        Optional<StoreFault> fault = registry.store().trouble().or(state::fault);
        if (fault.isPresent()) {
            return Optional.of(String.valueOf(fault.get().getMessage()));
        }
        if (verifier.damage().isPresent()) {
            return verifier.damage();
        }
        if (state.slow()) {
            return Optional.of("a write takes longer than a second");
        }
        return disk.flatMap(this::lowSpace);
    }

    private Optional<String> lowSpace(Disk folder) {
        long need =
                context.config(RegistryConfig.class).storage().minFreeBytes().count();
        try {
            long free = folder.freeBytes();
            return free < need
                    ? Optional.of(free + " bytes free (registry.storage.min_free_bytes: " + need + ")")
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.of("the disk does not say how much room it has: " + e.getMessage());
        }
    }
}
