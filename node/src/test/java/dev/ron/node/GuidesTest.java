package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.node.cli.CommandReference;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command of every guide runs as it stands there; what cannot is listed here with the reason.
 *
 * <p>They run against a demo node. Where a page begins a folder of its own ({@code mkdir NAME && ...}), what follows, up to its end,
 * runs there, with the node that the page has the reader start.
 */
@Timeout(300)
final class GuidesTest {
    private static final Path GUIDES = Path.of("../docs/guides");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```([a-z]*)\\n(.*?)^```$");
    private static final int LISTENERS = 7;

    /** How a command begins that is not run here, and why. */
    private static final Map<String, String> NOT_RUN = new LinkedHashMap<>(Map.ofEntries(
            Map.entry("./ron up", "a node runs already"),
            Map.entry("./ron client add robot", "needs a certificate; NodeCommandsTest"),
            Map.entry("curl -N", "has no end; RegistryCommandTest reads the stream"),
            Map.entry("./ron pack inspect swiss", "needs a map of the reader's; PackCommandTest"),
            Map.entry("./ron pack convert swiss", "needs a map of the reader's; PackCommandTest"),
            Map.entry("./ron pack extract planet", "needs a map of the reader's; PackCommandTest"),
            Map.entry("./ron pack create tiles", "needs tiles of the reader's; PackCommandTest"),
            Map.entry("./ron pack verify swiss", "needs a map of the reader's; PackCommandTest")));

    /** How a command begins that is run after all others, since it ends the node or needs one that has ended. */
    private static final List<String> LAST = List.of("./ron stop", "./ron backup", "./ron restore", "./ron fsck");

    @TempDir
    Path folder;

    @Test
    void everyCommandOfEveryGuideRuns() throws Exception {
        assumeTrue(StartGuideTest.has("curl") && StartGuideTest.has("sh"), "skipped: curl is not here");
        int base = StartGuideTest.freeBase();
        Map<String, Integer> excused = new LinkedHashMap<>();
        NOT_RUN.keySet().forEach(key -> excused.put(key, 0));
        List<String> lines = new ArrayList<>();
        List<String> last = new ArrayList<>();
        for (Path guide : guides()) {
            // Nothing that an earlier page has set.
            lines.add("unset KEY TOKEN");
            for (String command : commands(onTheDemo(Files.readString(guide)))) {
                String excuse = NOT_RUN.keySet().stream()
                        .filter(command::startsWith)
                        .findFirst()
                        .orElse("");
                if (LAST.stream().anyMatch(command::startsWith)) {
                    last.add(run(command.replace("/backup/", ""), guide, base));
                } else if (excuse.isEmpty()) {
                    lines.add(run(command, guide, base));
                } else {
                    excused.merge(excuse, 1, Integer::sum);
                }
            }
        }
        assertThat(lines).hasSizeGreaterThan(15);
        assertThat(last).hasSameSizeAs(LAST);
        assertThat(excused).doesNotContainValue(0);
        lines.addAll(last);
        // The time before it stops is one in which a command that follows too soon finds the folder in use.
        try (NodeProcess node = NodeProcess.start(
                folder,
                "up",
                "--port-base",
                String.valueOf(base),
                "--ports-file",
                "ports.json",
                "--set",
                "node.shutdown.pre_stop=4s")) {
            Eventually.await("the node is up", () -> Files.exists(folder.resolve("ports.json")));
            launcher(base);
            String said = sh(prelude() + String.join("\n", lines) + "\necho THE END\n");
            assertThat(said.lines().filter(line -> line.startsWith("FAILED ")))
                    .as(said + node.err())
                    .isEmpty();
            assertThat(said).contains("THE END");
            assertThat(folder.resolve("restored/operator.token")).isRegularFile();
        }
    }

    @Test
    void anApplicationGetsWhatTheGuideToItPromises() throws Exception {
        assumeTrue(StartGuideTest.has("curl") && StartGuideTest.has("sh"), "skipped: curl is not here");
        HttpServer application = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        application.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write("hello from the application".getBytes(StandardCharsets.UTF_8));
            }
        });
        application.start();
        try {
            String page = Files.readString(GUIDES.resolve("before-my-app.md"));
            String config = BLOCK.matcher(page)
                    .results()
                    .filter(block -> block.group(2).startsWith("# ron.toml"))
                    .map(block -> block.group(2))
                    .findFirst()
                    .orElseThrow()
                    .replace(
                            "127.0.0.1:3000",
                            "127.0.0.1:" + application.getAddress().getPort());
            String said = inItsOwnFolder(page, "cat >ron.toml <<'END'\n" + config + "END\n");
            assertThat(said).contains("all good", "hello from the application");
        } finally {
            application.stop(0);
        }
    }

    @Test
    void aLogOfOnesOwnBeginsAndChangesAsTheGuideSays() throws Exception {
        assumeTrue(StartGuideTest.has("sh"), "skipped: sh is not here");
        String page = Files.readString(GUIDES.resolve("govern-config.md"));
        String said = inItsOwnFolder(page, "export RON_PASSPHRASE='what the signers are asked for'\n");
        assertThat(said)
                .contains(
                        "3 of 5 must agree",
                        "adds svc.web",
                        "version 2, entry",
                        "org:acme#ben is revoked",
                        "version 3, entry");
    }

    /** Runs what a page has the reader do in a folder of its own, after these lines of shell, and answers what was said. */
    private String inItsOwnFolder(String page, String before) throws Exception {
        int base = StartGuideTest.freeBase();
        launcher(base);
        List<String> commands = commands(page.substring(onTheDemo(page).length()));
        assertThat(commands).contains("./ron up").hasSizeGreaterThan(6);
        List<String> lines = new ArrayList<>(List.of("set -e", "HOME=$PWD", commands.getFirst(), before));
        for (String command : commands.subList(1, commands.size())) {
            String here = placed(command, base);
            if (here.startsWith("./ron up")) {
                lines.add("./ron up >up.txt 2>&1 & NODE=$!");
                lines.add("trap 'cat up.txt; kill $NODE; wait $NODE || true' EXIT");
                lines.add("until grep -q 'ready in' up.txt; do kill -0 $NODE; sleep 0.1; done");
            } else if (here.startsWith("./ron registry propose") || here.startsWith("./ron registry rotate")) {
                lines.add(here + " >id.txt");
                lines.add("ID=$(cat id.txt)");
            } else {
                // It is ready a moment before the gateway has heard of the office's keys.
                lines.add(
                        here.replaceFirst("^curl ", "curl --fail-with-body --max-time 30 --retry 30 --retry-delay 1 "));
            }
        }
        lines.add("echo THE END");
        String said = sh(String.join("\n", lines) + "\n");
        assertThat(said).contains("THE END");
        return said;
    }

    private static String onTheDemo(String page) {
        int own = page.indexOf("mkdir ");
        return own < 0 ? page : page.substring(0, page.lastIndexOf("```\n", own));
    }

    private static List<Path> guides() throws IOException {
        try (Stream<Path> files = Files.list(GUIDES)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> commands(String page) {
        return BLOCK.matcher(page)
                .results()
                .filter(block -> block.group(1).isEmpty() || block.group(1).equals("sh"))
                .map(block -> block.group(2).replaceAll("\\\\\\n\\s*", " "))
                .flatMap(String::lines)
                .filter(line -> line.matches("(curl|\\./ron|mkdir|printf|export) .*|\\(umask .*|[A-Z]+=\\$.*"))
                .toList();
    }

    /** A command with this node's ports in place of the usual ones, the proposal that waits, and without its remark. */
    private static String placed(String command, int base) {
        String here = command.replace("p_...", "\"$ID\"");
        for (int i = 0; i < LISTENERS; i++) {
            here = here.replace("127.0.0.1:" + (8080 + i), "127.0.0.1:" + (base + i));
        }
        return here.replaceFirst("\\s+# .*$", "").strip();
    }

    private static String run(String command, Path guide, int base) {
        String words = placed(command, base);
        boolean curl = words.startsWith("curl ");
        String asked = curl ? words.replaceFirst("curl ", "curl --fail-with-body --max-time 30 ") : words;
        String name = guide.getFileName() + ": "
                + words.replace("\"", "").replace("'", "").replace("$", "");
        return "echo \"+ " + name + "\"\n" + asked + " || echo \"FAILED " + name + "\"";
    }

    /** The proposal that waits, as a reader sees it in the log. */
    private static String prelude() {
        return "ID=$(./ron registry log --json | grep -o 'p_[a-z0-9]*' | tail -n 1)\n";
    }

    /** What {@code ./ron} does, with the classes under test, at this node; where a person would be asked, the answer is yes. */
    private void launcher(int base) throws IOException {
        String asking = CommandReference.ofRon().commandsWith("--port-base").stream()
                .map(name -> "'" + name + " '*")
                .reduce((a, b) -> a + "|" + b)
                .orElseThrow();
        StartGuideTest.launcher(
                folder.resolve("ron"),
                "case \"$* \" in " + asking + ") set -- \"$@\" --port-base " + base + " ;; esac\n"
                        + "case \"$* \" in 'registry approve '*) set -- \"$@\" --yes ;; esac\n");
    }

    private String sh(String script) throws Exception {
        Files.writeString(folder.resolve("guides.sh"), script);
        Path said = folder.resolve("guides.txt");
        Process shell = new ProcessBuilder("sh", "guides.sh")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(shell.waitFor(4, TimeUnit.MINUTES))
                    .as(Files.readString(said))
                    .isTrue();
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
        return Files.readString(said);
    }
}
