package dev.ron.service.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A configuration with one key of every kind, for the tests of this package. */
final class Sample {
    static final List<Section<?>> SECTIONS =
            List.of(Section.of("node", NodeConfig.class), Section.of("gateway", GatewayConfig.class));

    private Sample() {}

    enum Mode {
        AUTO,
        ALWAYS_ON,
        OFF
    }

    @Doc("The process itself.")
    record NodeConfig(
            @Default("false") boolean dangerOk,
            @Default("macro") @OnChange(Change.RESTART) String profile) {}

    @Doc("The front door.")
    @OnChange(Change.HOT)
    record GatewayConfig(
            @Doc("Connections at once.") @Default("512") @Range(min = 1, max = 65_535) @OnChange(Change.RESTART)
            int maxConns,

            @Default("2s") @Within(min = "100ms", max = "5m")
            Duration requestTimeout,

            @Default("1MiB") @Within(max = "8MiB") Bytes maxBodyBytes,
            @Default("0.5") @Within(min = "0", max = "1") double shedRatio,

            @Default("127.0.0.1:8080") @OnChange(Change.REBIND)
            HostPort bindAddr,

            @Default("a,b") List<String> tags,
            Optional<Path> certPath,
            Optional<Secret> adminKey,
            DrrConfig drr,
            Map<String, RouteConfig> routes,
            List<TargetConfig> targets) {}

    @Doc("How capacity is shared between tenants.")
    record DrrConfig(
            @Default("auto") Mode mode,
            @Default("1") @Range(min = 1, max = 1000) int defaultQuantum,
            @Default("1s") Duration maxQueueWait,
            Map<String, Integer> tenantQuanta) {

        @Check(value = "must be shorter than gateway.request_timeout", key = "max_queue_wait")
        boolean waitFitsDeadline(GatewayConfig gateway) {
            return maxQueueWait.compareTo(gateway.requestTimeout()) < 0;
        }
    }

    record RouteConfig(
            @Doc("Where it goes.") URI upstream,
            @Default("/") String path,
            @Default("false") boolean open) {
        @Check("an open route needs node.danger_ok")
        boolean openOnlyInDanger(NodeConfig node) {
            return !open || node.dangerOk();
        }
    }

    record TargetConfig(
            HostPort addr, @Default("1") @Range(min = 0) long weight) {
        TargetConfig {
            if (addr.port() == 1) {
                throw new IllegalArgumentException("port 1 is not a target");
            }
        }
    }
}
