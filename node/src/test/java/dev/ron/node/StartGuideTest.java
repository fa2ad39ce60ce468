package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A newcomer who pastes docs/start.md into a terminal gets what it promises. */
@Timeout(300)
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
        List<String> commands = commands(base);
        List<String> ups =
                commands.stream().filter(line -> line.startsWith("./ron up")).toList();
        assertThat(ups).hasSize(2);
        int second = commands.lastIndexOf(ups.getLast());
        launcher(folder.resolve("ron"), placed(base));
        try (NodeProcess node = up(ups.getFirst())) {
            // A build makes the demo's map; where there was none the node makes it after its start.
            Eventually.await(
                    "the map is mounted",
                    () -> node.get("edge", "/edge/tiles/world/0/0/0.mvt").startsWith("HTTP/1.1 200"));
            for (String link : links(base)) {
                assertThat(sh("curl -s -o page.html -w '%{http_code}' " + link))
                        .as(link)
                        .isEqualTo("200");
            }
            String said = sh(String.join("\n", commands.subList(1, second)));
            assertThat(said)
                    .contains("hello", "\"status\":401", "HTTP/1.1 200 OK", "enough to commit", "OK: version 2")
                    .containsPattern("gateway +healthy")
                    .contains("all good", "node.port_base", "\"$schema\"", "noop, config version 1", "ca.pem");
            assertThat(Files.size(folder.resolve("tile.mvt"))).isPositive();
            assertThat(guide(base)).contains("Stop the node (Ctrl-C), then:");
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
        Files.delete(folder.resolve("ports.json"));
        try (NodeProcess node = up(ups.getLast())) {
            String echo = String.join("\n", commands.subList(second + 1, commands.size()));
            assertThat(echo).contains("curl --http2");
            if (sh("curl --version").contains("HTTP2")) {
                String with = echo.replace("curl ", "curl -sS -D - ");
                Eventually.await("the gateway has heard the issuer", () -> sh(with).contains("HTTP/2 200"));
                assertThat(sh(with)).contains("GET /echo");
            } else {
                System.out.println("skipped: curl knows no HTTP/2");
            }
            assertThat(node.out()).contains("https://127.0.0.1:" + base);
        }
    }

    /** A proxied request, a tile and an approval, as the node itself prints them; and what it says of itself. */
    @Test
    void whatTheNodeSaysToTryWorksAsPrinted() throws Exception {
        assumeTrue(has("curl") && has("sh"), "skipped: curl is not here");
        int base = freeBase();
        // Where a person would be asked, the answer is yes.
        launcher(folder.resolve("ron"), "case \"$* \" in 'registry approve '*) set -- \"$@\" --yes ;; esac\n");
        try (NodeProcess node = up("./ron up --port-base " + base)) {
            assertThat(node.out())
                    .contains("DEMO: tenants, keys and policy are for trying out", "whoever uses this machine")
                    .contains("ron init writes a ron.toml", "ready in ");
            List<String> lines = node.out()
                    .lines()
                    .dropWhile(line -> !line.startsWith("try, in another terminal:"))
                    .skip(1)
                    .takeWhile(line -> line.startsWith("  "))
                    .map(String::strip)
                    .toList();
            assertThat(lines.stream().map(line -> line.replaceFirst("[^a-zA-Z./].*", "")))
                    .containsExactly("TOKEN", "curl", "./ron", "curl", "./ron");
            Eventually.await(
                    "the map is mounted",
                    () -> node.get("edge", "/edge/tiles/world/0/0/0.mvt").startsWith("HTTP/1.1 200"));
            Eventually.await(
                    "the gateway has heard the issuer",
                    () -> node.get("gateway", "/demo/echo", node.demoToken()).startsWith("HTTP/1.1 200"));
            assertThat(sh(String.join("\n", lines)))
                    .contains("hello", "svc-gateway", "HTTP/1.1 200 OK", "+ body.max_ttl_s: 1800", "approves: 1 of 2");
            assertThat(Files.size(folder.resolve("tile.mvt"))).isPositive();
        }
    }

    private NodeProcess up(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" +", -1)));
        words.removeFirst();
        words.addAll(List.of("--ports-file", "ports.json"));
        NodeProcess node = NodeProcess.start(folder, words.toArray(String[]::new));
        Eventually.await("the node is up", () -> Files.exists(folder.resolve("ports.json")));
        return node;
    }

    /** Runs lines of shell, which must all be good, and answers what they said. */
    private String sh(String script) {
        Path said = folder.resolve("said.txt");
        try {
            Files.writeString(folder.resolve("guide.sh"), "set -e\n" + script + "\n");
            Process shell = new ProcessBuilder("sh", "guide.sh")
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(said.toFile())
                    .start();
            try {
                assertThat(shell.waitFor(3, TimeUnit.MINUTES)).as(script).isTrue();
            } finally {
                shell.descendants().forEach(ProcessHandle::destroyForcibly);
                shell.destroyForcibly();
            }
            assertThat(shell.exitValue()).as(Files.readString(said)).isZero();
            return Files.readString(said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted");
        }
    }

    /** The guide, with this node's ports in place of its own. */
    private static String guide(int base) throws IOException {
        String page = Files.readString(Path.of("../docs/start.md"));
        for (int i = 0; i < LISTENERS; i++) {
            page = page.replace(String.valueOf(BASE + i), String.valueOf(base + i));
        }
        return page;
    }

    /** Every command of the guide, in order and without remarks. */
    private static List<String> commands(int base) throws IOException {
        return BLOCK.matcher(guide(base))
                .results()
                .map(block -> block.group(1))
                .flatMap(String::lines)
                .filter(line -> line.startsWith("curl ") || line.startsWith("./ron ") || line.matches("[A-Z]+=\\$.*"))
                .map(line -> line.replaceFirst("\\s+# .*$", ""))
                .toList();
    }

    /** The addresses that the guide has the reader open in a browser. */
    private static List<String> links(int base) throws IOException {
        List<String> links = Pattern.compile("<(http://[^>]+)>")
                .matcher(guide(base))
                .results()
                .map(link -> link.group(1))
                .toList();
        assertThat(links).contains("http://127.0.0.1:" + (base + 4) + "/");
        return links;
    }

    /** Lines of shell that put in this node's place where the guide speaks of a node at the default one. */
    private static String placed(int base) {
        return "case \"$*\" in *--port-base*|'config schema'*) ;; 'check'*|'config'*|'doctor'*|'reload'*) "
                + "set -- \"$@\" --port-base " + base + " ;; esac\n";
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
