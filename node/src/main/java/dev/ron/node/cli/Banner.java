package dev.ron.node.cli;

import dev.ron.node.Node;

/** What a node says when it is up: where everything is, what is unsafe, and what to try. */
final class Banner {
    private final Node node;
    private final boolean demo;

    Banner(Node node, boolean demo) {
        this.node = node;
        this.demo = demo;
    }

    @Override
    public String toString() {
        Table table = new Table().row("SERVICE", "URL", "STATE");
        node.urls().forEach((name, url) -> table.row(name, url, node.state(name)));
        return table.toString();
    }

    String whatToDo() {
        StringBuilder text = new StringBuilder("\n").append(node.dataLine()).append('\n');
        if (demo) {
            text.append(
                    "DEMO: tenants, keys and policy are for trying out, and whoever uses this machine uses the console.\n");
            text.append("      ron init writes a ron.toml to begin with for real\n");
            commands(text);
            places(text);
            node.unwrittenClientKey()
                    .ifPresent(key ->
                            text.append("client key, shown once: ").append(key).append('\n'));
        }
        return text.append("\nCtrl-C drains and stops; twice stops at once\n").toString();
    }

    /** A proxied request, a tile, an approval: as they are to be typed, with this node's ports and keys. */
    private void commands(StringBuilder text) {
        text.append("\ntry, in another terminal:\n");
        if (has("gateway") && !node.needsToken()) {
            text.append("  ").append(curl("gateway")).append("/demo/echo -d hello   # no passport office: open\n");
        }
        node.demoToken().ifPresent(token -> {
            text.append("  TOKEN='").append(token).append("'\n");
            if (has("gateway")) {
                text.append("  ")
                        .append(curl("gateway"))
                        .append("/demo/echo -d hello -H \"Authorization: Bearer $TOKEN\"\n");
            }
            text.append("  ./ron token inspect \"$TOKEN\"\n");
        });
        if (has("edge")) {
            text.append("  ").append(curl("edge")).append("/edge/tiles/world/0/0/0.mvt -o tile.mvt -D -\n");
        }
        node.demoKeys()
                .ifPresent(keys -> node.waitingProposals().stream()
                        .limit(1)
                        .forEach(id -> text.append("  ./ron registry approve ")
                                .append(id)
                                .append(' ')
                                .append(node.approveFlags())
                                .append('\n')));
    }

    private void places(StringBuilder text) {
        if (has("admin") || has("edge")) {
            text.append("\nlook, in a browser:\n");
        }
        if (has("admin")) {
            text.append("  ").append(url("admin")).append("/  the console\n");
        }
        if (has("edge")) {
            text.append("  ").append(url("edge")).append("/edge/  the demo world\n");
        }
    }

    private boolean has(String listener) {
        return node.ports().containsKey(listener);
    }

    /** How a request to a listener begins; a certificate that is not known to the machine is named. */
    private String curl(String listener) {
        return "curl -s "
                + node.certificates(listener)
                        .map(file -> "--cacert " + file + " ")
                        .orElse("")
                + url(listener);
    }

    private String url(String listener) {
        return node.urls().getOrDefault(listener, "");
    }
}
