package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A newcomer who pastes docs/start.md into a terminal gets what it promises. */
final class StartGuideTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\n(.*?)^```$");
    private static final int BASE = 18_080;
    private static final int LISTENERS = 7;

    @TempDir
    Path folder;

    @Test
    void everyCommandOfTheGuideWorksAsPrinted() throws Exception {
        assumeTrue(has("curl") && has("sh"), "skipped: curl is not here");
        int base = freeBase();
        try (NodeProcess node =
                NodeProcess.start(folder, "up", "--port-base", String.valueOf(base), "--ports-file", "ports.json")) {
            Eventually.await("the node is up", () -> Files.exists(folder.resolve("ports.json")));
            // A build makes the demo's map; where there was none the node makes it after its start.
            Eventually.await(
                    "the map is mounted",
                    () -> node.get("edge", "/edge/tiles/world/0/0/0.mvt").startsWith("HTTP/1.1 200"));
            Path script = folder.resolve("guide.sh");
            Files.writeString(script, script(base));
            launcher(folder.resolve("ron"), "");
            Process shell = new ProcessBuilder("sh", script.toString())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("guide.txt").toFile())
                    .start();
            assertThat(shell.waitFor(5, TimeUnit.MINUTES)).isTrue();
            String said = Files.readString(folder.resolve("guide.txt"));
            assertThat(shell.exitValue()).as(said + node.err()).isZero();
            assertThat(said)
                    .contains("hello", "\"status\":401", "HTTP/1.1 200 OK", "enough to commit", "OK: version 2")
                    .containsPattern("gateway +healthy");
            assertThat(Files.size(folder.resolve("tile.mvt"))).isPositive();
        }
    }

    /** The commands up to the first heading, with this node's ports in place of the guide's. */
    private static String script(int base) throws IOException {
        String page = Files.readString(Path.of("../docs/start.md"));
        Matcher blocks = BLOCK.matcher(page.substring(0, page.indexOf("\n## ")));
        String commands = blocks.results()
                .map(block -> block.group(1))
                .flatMap(String::lines)
                .filter(line -> line.startsWith("curl ") || line.startsWith("./ron ") || line.matches("[A-Z]+=\\$.*"))
                .filter(line -> !line.startsWith("./ron up"))
                .collect(Collectors.joining("\n"));
        for (int i = 0; i < LISTENERS; i++) {
            commands = commands.replace(String.valueOf(BASE + i), String.valueOf(base + i));
        }
        return "set -e\n" + commands + "\n";
    }

    /** Where seven ports in a row are free. */
    static int freeBase() throws IOException {
        for (int base = 20_000 + (int) (ProcessHandle.current().pid() % 1000) * 10; ; base += 10) {
            int free = 0;
            while (free < LISTENERS && isFree(base + free)) {
                free++;
            }
            if (free == LISTENERS) {
                return base;
            }
        }
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (BindException taken) {
            return false;
        }
    }

    /** What {@code ./ron} does, with the classes under test, after these lines of shell. */
    static void launcher(Path file, String before) throws IOException {
        List<String> java = NodeProcess.java();
        Files.writeString(
                file,
                "#!/bin/sh\n" + before + "exec "
                        + java.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" ")) + " \"$@\"\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    static boolean has(String program) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v " + program)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
