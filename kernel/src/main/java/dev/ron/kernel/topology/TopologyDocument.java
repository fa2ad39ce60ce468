package dev.ron.kernel.topology;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Writes the Markdown document of a topology; the same topology always gives the same bytes. */
final class TopologyDocument {
    private final Topology topology;
    private final StringBuilder out = new StringBuilder();

    TopologyDocument(Topology topology) {
        this.topology = topology;
    }

    String markdown() {
        out.append("# Topology of ").append(topology.service()).append("\n\n");
        out.append(topology.about()).append("\n\n");
        out.append("Generated from code; `./ron docs` writes it anew, and a test fails when it is out of date.\n");
        table(
                "Tasks",
                TaskSpec.class,
                "kind | instances | criticality | on failure | thread | stops in | does",
                t -> row(
                        code(t.name()),
                        t.instances(),
                        word(t.criticality()),
                        t.restart() == TaskSpec.Restart.NEVER ? "counted" : "restarted",
                        word(t.runner()),
                        word(t.stage()),
                        t.does()));
        table(
                "Mailboxes",
                MailboxSpec.class,
                "queue | capacity | from | to | when full | at drain | closes in",
                m -> row(
                        code(m.name()),
                        String.valueOf(m.capacity()),
                        m.from(),
                        m.to(),
                        m.onFull() == OnFull.REJECT_NEW ? "reject the new" : "hand back the oldest",
                        m.onDrain() == OnDrain.HAND_BACK ? "answer `draining`" : "finish",
                        word(m.stage())));
        table(
                "Queues kept by the service itself",
                QueueSpec.class,
                "queue | capacity | from | to | when full",
                q -> row(code(q.name()), String.valueOf(q.capacity()), q.from(), q.to(), q.whenFull()));
        table(
                "Broadcasts",
                BroadcastSpec.class,
                "name | capacity | from | to | when full",
                b -> row(
                        code(b.name()),
                        String.valueOf(b.capacity()),
                        b.from(),
                        b.to(),
                        "overwrite; the slow reader learns how much it missed"));
        table("Watches", WatchSpec.class, "name | writer | readers", w -> row(code(w.name()), w.from(), w.to()));
        table(
                "Locks, outermost first",
                topology.locks(),
                "lock | rank | owner",
                l -> row(code(l.name()), String.valueOf(l.rank()), l.owner()));
        table(
                "Lanes",
                LaneSpec.class,
                "lane | threads | capacity | stops in",
                l -> row(code(l.name()), String.valueOf(l.threads()), String.valueOf(l.capacity()), word(l.stage())));
        table(
                "Permits",
                PermitsSpec.class,
                "name | limit | bounds",
                p -> row(code(p.name()), String.valueOf(p.limit()), p.of()));
        diagram();
        return out.toString();
    }

    private <P extends Part> void table(String title, Class<P> kind, String head, Function<P, String> row) {
        table(title, topology.all(kind), head, row);
    }

    private <P extends Part> void table(String title, List<P> parts, String head, Function<P, String> row) {
        if (parts.isEmpty()) {
            return;
        }
        out.append("\n## ").append(title).append("\n\n| ").append(head).append(" |\n|");
        out.append(" --- |".repeat(head.split("\\|").length)).append('\n');
        parts.forEach(part -> out.append(row.apply(part)));
    }

    private void diagram() {
        List<MailboxSpec> boxes = topology.all(MailboxSpec.class);
        List<BroadcastSpec> rings = topology.all(BroadcastSpec.class);
        List<QueueSpec> queues = topology.all(QueueSpec.class);
        if (boxes.isEmpty() && rings.isEmpty() && queues.isEmpty()) {
            return;
        }
        out.append("\n## Flow\n\n```mermaid\nflowchart LR\n");
        boxes.forEach(m -> edge(m.from(), m.name() + " " + m.capacity(), m.to(), "-->"));
        queues.forEach(q -> edge(q.from(), q.name() + " " + q.capacity(), q.to(), "-->"));
        rings.forEach(b -> edge(b.from(), b.name() + " " + b.capacity(), b.to(), "-.->"));
        out.append("```\n");
    }

    private void edge(String from, String label, String to, String arrow) {
        out.append("  ")
                .append(node(from))
                .append(' ')
                .append(arrow)
                .append("|\"")
                .append(label)
                .append("\"| ");
        out.append(node(to)).append('\n');
    }

    private static String node(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_") + "[\"" + name + "\"]";
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private static String code(String name) {
        return "`" + name + "`";
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
