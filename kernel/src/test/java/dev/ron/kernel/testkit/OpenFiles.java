package dev.ron.kernel.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The sockets and files this process has open, without those that class loading and the JDK keep. */
final class OpenFiles {
    private static final Path SELF = Path.of("/proc/self/fd");
    private static final Pattern KEPT =
            Pattern.compile("/dev/.*|.*\\.(jar|so|jmod|jsa|aot)|.*/lib/modules|.*/target/.*-reports/.*"
                    + "|pipe:.*|anon_inode:.*|/proc/.*|.*/surefire.*|.*\\(deleted\\)");

    static {
        // The first channel makes the JDK open a socket pair that it keeps; it must not count as somebody's leak.
        try {
            ServerSocketChannel.open().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private OpenFiles() {}

    /** Descriptor by what it leads to; empty where there is no /proc. */
    static Map<String, String> now() {
        Map<String, String> result = new TreeMap<>();
        if (!Files.isDirectory(SELF)) {
            return result;
        }
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(SELF)) {
            for (Path descriptor : descriptors) {
                target(descriptor, result);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return result;
    }

    private static void target(Path descriptor, Map<String, String> into) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            if (!KEPT.matcher(target).matches()) {
                into.put(target, String.valueOf(descriptor.getFileName()));
            }
        } catch (IOException closedMeanwhile) {
            // It is no longer open, which is all we ask of it.
        }
    }
}
