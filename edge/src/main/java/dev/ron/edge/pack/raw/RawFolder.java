package dev.ron.edge.pack.raw;

import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.PackFile;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Plain files below one folder (assets, glyphs, sprites, styles), found by the decoded path of a request.
 *
 * <p>Two walls, either of which would do: a name is refused unless each of its parts is an ordinary file name, and what
 * is opened must, with all links followed, still lie below the folder. The folder itself may come later, or be another
 * one tomorrow: it is looked for each time.
 */
public final class RawFolder {
    private static final int MAX_CHARS = 2048;

    private final Path folder;

    public RawFolder(Path folder) {
        this.folder = folder;
    }

    /** The open file, which the caller closes; nothing if there is none or the name is not allowed. */
    public Optional<PackFile> open(String name) {
        if (!isPlain(name)) {
            return Optional.empty();
        }
        try {
            Path root = folder.toRealPath();
            Path real = root.resolve(name).toRealPath();
            if (!real.startsWith(root) || !real.toFile().isFile()) {
                return Optional.empty();
            }
            return Optional.of(openOnce(real));
        } catch (IOException | InvalidPathException _) {
            return Optional.empty();
        }
    }

    /** One that is renamed in the instant in which it is opened is another file now, as good as the first. */
    private static PackFile openOnce(Path real) {
        try {
            return PackFile.open(real);
        } catch (PackError e) {
            if (e.fault() != PackFault.OVERWRITTEN) {
                throw e;
            }
            return PackFile.open(real);
        }
    }

    /** Relative, forward slashes, no empty, dot or hidden part, no control character, nothing another system would split on. */
    static boolean isPlain(String name) {
        if (name.isEmpty() || name.length() > MAX_CHARS) {
            return false;
        }
        for (String part : name.split("/", -1)) {
            if (part.isEmpty() || part.startsWith(".")) {
                return false;
            }
        }
        return name.chars().noneMatch(ch -> ch < 0x20 || ch == 0x7F || ch == '\\' || ch == ':');
    }
}
