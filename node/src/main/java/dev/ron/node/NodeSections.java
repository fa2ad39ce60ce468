package dev.ron.node;

import dev.ron.admin.AdminConfig;
import dev.ron.edge.config.EdgeConfig;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.passport.PassportConfig;
import dev.ron.registry.RegistryConfig;
import dev.ron.service.config.Section;
import java.util.ArrayList;
import java.util.List;

/** Every section of {@code ron.toml} and every listener; a service module adds its own here. */
public final class NodeSections {
    public static final List<Section<?>> ALL = List.of(
            Section.of("node", NodeConfig.class),
            Section.of("gateway", GatewayConfig.class),
            Section.of("edge", EdgeConfig.class),
            Section.of("passport", PassportConfig.class),
            Section.of("registry", RegistryConfig.class),
            Section.of("admin", AdminConfig.class));

    /** The services this build has; {@code --services} chooses among them. */
    static final List<String> SERVICES = List.of("gateway", "edge", "passport", "registry", "admin");

    private NodeSections() {}

    /** Whether a node with this configuration runs a service. */
    public static boolean runs(NodeConfig config, String service) {
        return config.services().isEmpty() || config.services().contains(service);
    }

    /** The demo application is there to have a gateway put before it: it runs where the gateway does. */
    static boolean runsDemoApp(boolean demo, NodeConfig config) {
        return demo && runs(config, "gateway");
    }

    /** The listeners a node with this configuration opens. */
    public static List<String> listeners(boolean demo, NodeConfig config) {
        List<String> names = new ArrayList<>();
        if (runs(config, "gateway")) {
            names.add("gateway");
        }
        if (runs(config, "edge")) {
            names.add("edge");
        }
        names.add("ops");
        if (runs(config, "passport")) {
            names.add("passport");
        }
        if (runs(config, "registry")) {
            names.add("registry");
        }
        if (runs(config, "admin")) {
            names.add("admin");
        }
        if (runsDemoApp(demo, config)) {
            names.add("demo");
        }
        return names;
    }
}
