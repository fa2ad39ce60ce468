package dev.ron.kernel.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A generated document that is committed under {@code docs/}; it must say what the code says. */
public final class GoldenFile {
    private final Path docs;
    private final String name;
    private final boolean write;

    GoldenFile(Path docs, String name, boolean write) {
        this.docs = docs;
        this.name = name;
        this.write = write;
    }

    /** The document {@code docs/<name>}; {@code -Dron.golden=write} has it written instead of compared. */
    public static GoldenFile of(String name) {
        return new GoldenFile(docs(), name, "write".equals(System.getProperty("ron.golden")));
    }

    public void matches(String generated) {
        Path file = docs.resolve(name);
        try {
            if (write) {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.writeString(file, generated);
                return;
            }
            String committed = Files.exists(file) ? Files.readString(file) : "";
            if (!committed.equals(generated)) {
                throw new AssertionError("docs/" + name + " is out of date (`./ron docs` regenerates it): "
                        + difference(committed, generated));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String difference(String committed, String generated) {
        String[] old = committed.split("\n", -1);
        String[] now = generated.split("\n", -1);
        int line = 0;
        while (line < Math.min(old.length, now.length) && old[line].equals(now[line])) {
            line++;
        }
        return "line " + (line + 1) + "\n  committed: " + (line < old.length ? old[line] : "(end)") + "\n  generated: "
                + (line < now.length ? now[line] : "(end)");
    }

    /** Tests run in their module's folder; the documents live beside the modules. */
    private static Path docs() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("kernel/pom.xml"))) {
                return at.resolve("docs");
            }
        }
        throw new IllegalStateException("not inside the project: " + Path.of("").toAbsolutePath());
    }
}
