package dev.ron.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Which port is whose: counted from a base, or chosen by the system when the base is 0. */
public record Ports(int base) {
    public static final int DEFAULT_BASE = 8080;
    /** The seven ports from here on are the last there are. */
    public static final int MAX_BASE = 65_529;

    private static final List<String> ORDER =
            List.of("gateway", "edge", "passport", "registry", "admin", "ops", "demo");

    /** The port to bind for a listener; 0 lets the system choose. */
    public int of(String listener) {
        int offset = ORDER.indexOf(listener);
        if (offset < 0) {
            throw new IllegalArgumentException("no port is planned for " + listener);
        }
        return base == 0 ? 0 : base + offset;
    }

    /** The same ports in the order of their plan. */
    static Map<String, Integer> inOrder(Map<String, Integer> bound) {
        Map<String, Integer> sorted = new LinkedHashMap<>();
        for (String name : ORDER) {
            Integer port = bound.get(name);
            if (port != null) {
                sorted.put(name, port);
            }
        }
        return Collections.unmodifiableMap(sorted);
    }

    /** Writes the bound ports as JSON, whole or not at all. */
    public static void write(Path file, Map<String, Integer> bound) throws IOException {
        String json = inOrder(bound).entrySet().stream()
                .map(e -> "\"" + e.getKey() + "\":" + e.getValue())
                .collect(Collectors.joining(",", "{", "}\n"));
        Path absolute = file.toAbsolutePath();
        Path temp = absolute.resolveSibling(absolute.getFileName() + ".tmp");
        Files.writeString(temp, json);
        Files.move(temp, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
