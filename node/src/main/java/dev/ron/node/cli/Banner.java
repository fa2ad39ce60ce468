package dev.ron.node.cli;

import dev.ron.node.Node;
import dev.ron.node.NodeConfig;
import java.util.Locale;
import java.util.Map;

/** What a node says when it is up: where everything is, what is unsafe, and what to try. */
final class Banner {
    private final Node node;
    private final NodeConfig settings;
    private final boolean demo;

    Banner(Node node, NodeConfig settings, boolean demo) {
        this.node = node;
        this.settings = settings;
        this.demo = demo;
    }

    @Override
    public String toString() {
        Table table = new Table().row("SERVICE", "URL", "STATE");
        node.ports().forEach((name, port) -> table.row(name, url(name, port), node.state(name)));
        return table.toString();
    }

    String whatToDo() {
        StringBuilder text = new StringBuilder("\n");
        text.append(node.dataLine()).append('\n');
        Map<String, Integer> ports = node.ports();
        if (demo) {
            text.append("demo: no ron.toml was read; tenants, keys and the demo application are for trying out only\n");
            String app = url("demo", ports.getOrDefault("demo", 0));
            String ops = url("ops", ports.getOrDefault("ops", 0));
            text.append("\ntry:\n");
            text.append("  curl -sN ").append(app).append("/sse\n");
            text.append("  curl -s ").append(ops).append("/readyz\n");
            if (ports.containsKey("edge")) {
                String edge = url("edge", ports.getOrDefault("edge", 0));
                text.append("  curl -s ").append(edge).append("/edge/tiles/world/0/0/0.mvt -o tile.mvt -D -\n");
                text.append("  open ").append(edge).append("/edge/ in a browser: the demo world\n");
            }
            node.demoToken().ifPresent(token -> {
                text.append("  TOKEN='").append(token).append("'\n");
                text.append("  curl -s ")
                        .append(url("gateway", ports.getOrDefault("gateway", 0)))
                        .append("/demo/echo -d hello -H \"Authorization: Bearer $TOKEN\"\n");
                text.append("  curl -s ").append(app).append("/guarded -H \"Authorization: Bearer $TOKEN\"\n");
                text.append("  ./ron token inspect \"$TOKEN\"\n");
            });
            node.demoKeys()
                    .ifPresent(keys -> node.waitingProposals().stream()
                            .findFirst()
                            .ifPresent(id -> text.append("  ./ron registry approve ")
                                    .append(id)
                                    .append(" --key ")
                                    .append(keys.resolve("ann.key"))
                                    .append('\n')));
            node.unwrittenClientKey()
                    .ifPresent(key ->
                            text.append("client key, shown once: ").append(key).append('\n'));
        }
        return text.append("\nCtrl-C drains and stops; twice stops at once\n").toString();
    }

    private String url(String name, int port) {
        String host = "ops".equals(name) ? "127.0.0.1" : settings.bind();
        String scheme = node.speaksTls(name) ? "https" : "http";
        return String.format(Locale.ROOT, "%s://%s:%d", scheme, host, port);
    }
}
