package dev.ron.node;

import dev.ron.service.config.Section;
import java.util.ArrayList;
import java.util.List;

/** Every section of {@code ron.toml} and every listener; a service module adds its own here. */
public final class NodeSections {
    public static final List<Section<?>> ALL = List.of(Section.of("node", NodeConfig.class));

    /** The services this build has; {@code --services} chooses among them. */
    static final List<String> SERVICES = List.of();

    private NodeSections() {}

    /** The listeners a node with this configuration opens. */
    public static List<String> listeners(boolean withoutFile, NodeConfig config) {
        List<String> names = new ArrayList<>();
        names.add("ops");
        if (withoutFile || config.demo().enabled()) {
            names.add("demo");
        }
        return names;
    }
}
