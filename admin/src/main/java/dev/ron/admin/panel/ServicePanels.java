package dev.ron.admin.panel;

import dev.ron.admin.series.Readings;
import dev.ron.admin.truth.Verdict;
import dev.ron.admin.view.Panels;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the services of a node say about their own subject, from its status and its numbers; nothing is made up. */
public final class ServicePanels {
    private static final String NO_STATUS = "not available: the node has not answered /api/v1/status";

    private final @Nullable Verdict verdict;
    private final Readings readings;

    private ServicePanels(@Nullable Verdict verdict, Readings readings) {
        this.verdict = verdict;
        this.readings = readings;
    }

    /**
     * The panels of a node; called under the lock of the ring that is read.
     *
     * @param gatewayTenants what the gateway's own page lists; empty where it has none
     * @param approveFlags what the command that approves needs to sign and to find this node
     */
    public static Panels of(
            String nodeId, @Nullable Verdict verdict, Readings readings, List<?> gatewayTenants, String approveFlags) {
        ServicePanels all = new ServicePanels(verdict, readings);
        return new Panels(
                nodeId,
                GatewayPanel.of(all.cause("gateway", "gateway_"), all.told("gateway"), readings, gatewayTenants),
                EdgePanel.of(all.cause("edge", "edge_"), all.told("edge"), readings),
                PassportPanel.of(all.cause("passport", "svc_passport_"), all.told("passport"), readings),
                RegistryPanel.of(all.cause("registry", "registry_"), all.told("registry"), readings, approveFlags));
    }

    /** Every metric that a panel asks for, so that a test can hold it against what services really send. */
    public static List<String> metrics() {
        return Stream.of(GatewayPanel.METRICS, EdgePanel.METRICS, PassportPanel.METRICS, RegistryPanel.METRICS)
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    private Told told(String service) {
        Map<String, Object> data = verdict == null ? Map.of() : verdict.said().serviceData();
        return Told.of(data.get(service));
    }

    /** Why a panel has nothing to show; null where it has. */
    private @Nullable String cause(String service, String metricPrefix) {
        if (verdict == null) {
            return NO_STATUS;
        }
        boolean runs = verdict.planes().stream().anyMatch(plane -> plane.name().equals(service))
                || verdict.said().serviceData().containsKey(service)
                || readings.services().contains(service)
                || readings.hasFamily(metricPrefix);
        return runs ? null : "not available: no " + service + " runs on this node";
    }
}
