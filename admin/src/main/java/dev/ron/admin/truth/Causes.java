package dev.ron.admin.truth;

import dev.ron.admin.view.Cause;
import java.util.List;
import java.util.Map;

/** The causes there are, each with its English sentence; {@code %1} stands for the first argument. */
public final class Causes {
    private static final Map<String, String> SENTENCES = Map.ofEntries(
            Map.entry("probe.failed", "%1: %3"),
            Map.entry("probe.status", "%1 answered %2"),
            Map.entry("probe.not_asked", "%1 was not asked: no time was left"),
            Map.entry("probe.never", "not asked yet"),
            Map.entry("round.stale", "last heard of %1 s ago"),
            Map.entry("phase", "the node is %1"),
            Map.entry("healthz.status", "/healthz answered %1"),
            Map.entry("healthz.not_ok", "/healthz says it is not well"),
            Map.entry("readyz.missing", "%1 is missing: %2"),
            Map.entry("readyz.not_ready", "/readyz says it is not ready"),
            Map.entry("readyz.unreadable", "/readyz cannot be read"),
            Map.entry("readyz.dev_forced", "readiness is forced on, so it says nothing"),
            Map.entry("readyz.degraded", "/readyz says it is degraded"),
            Map.entry("readyz.write", "it takes no writes"),
            Map.entry("ready.unknown", "the node does not say whether it is ready"),
            Map.entry("status.not_ready", "its status says it is not ready"),
            Map.entry("status.unreadable", "its status cannot be read"),
            Map.entry("plane.fail", "%1 fails%2"),
            Map.entry("plane.degraded", "%1 is degraded%2"),
            Map.entry("plane.not_ready", "%1 is not ready%2"),
            Map.entry("upstream.silent", "no target of upstream %1 answers"),
            Map.entry("plane.unknown", "the health of %1 is not known"));

    private Causes() {}

    public static Cause of(String key, String... args) {
        String text = SENTENCES.getOrDefault(key, key);
        for (int i = args.length; i >= 1; i--) {
            text = text.replace("%" + i, args[i - 1]);
        }
        return new Cause(key, List.of(args), text);
    }

    static Map<String, String> sentences() {
        return SENTENCES;
    }
}
