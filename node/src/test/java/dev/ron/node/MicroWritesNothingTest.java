package dev.ron.node;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Profile micro, as the kernel sees it: strace lists every file that is opened for writing, made, moved or removed. */
@Timeout(180)
final class MicroWritesNothingTest {
    private static final Pattern OPENED =
            Pattern.compile("open(?:at)?\\((?:[^,]+, )?\"([^\"]*)\", [^)]*(?:O_WRONLY|O_RDWR|O_CREAT)");
    private static final Pattern CHANGED =
            Pattern.compile("(?:mkdir|rename|unlink|link|symlink|truncate)(?:at2?)?\\(.*\"([^\"]*)\"");

    @TempDir
    Path folder;

    @TempDir
    Path natives;

    /** Where a temporary file would be, apart from the natives: one is a file like any other. */
    @TempDir
    Path temporary;

    @Test
    void noFileIsWrittenFromStartOverWorkToStop() throws Exception {
        assumeTrue(straceWorks(), "skipped: strace is not here, or may not trace");
        Path trace = folder.resolve("trace.txt");
        List<String> command = new ArrayList<>(List.of(
                "strace",
                "-f",
                "--seccomp-bpf",
                "-qq",
                "-e",
                "signal=none",
                "-e",
                "trace=open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,link,linkat,symlink,truncate",
                "-o",
                trace.toString()));
        List<String> java = new ArrayList<>(NodeProcess.java());
        // As the launcher does. A distribution has its native libraries unpacked and its map made; here the loaders
        // unpack
        // them, to a folder we know.
        assertThat(ron("pack", "demo", natives.resolve("world.pmtiles").toString())
                        .code())
                .isZero();
        java.addAll(
                1,
                List.of(
                        "-XX:-UsePerfData",
                        "-Djava.io.tmpdir=" + temporary,
                        "-Dio.netty.native.workdir=" + natives,
                        "-DZstdTempFolder=" + natives,
                        "-Dorg.sqlite.tmpdir=" + natives,
                        "-Dron.demo.packs=" + natives));
        command.addAll(java);
        // The one file it is asked to write.
        command.addAll(List.of("up", "--profile", "micro", "--port-base", "0", "--ports-file", "ports.json"));
        Path out = folder.resolve("out.txt");
        Process strace = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
        try {
            Eventually.await("it is up", () -> Files.exists(folder.resolve("ports.json")) || !strace.isAlive());
            ask(read(out));
            ProcessHandle node = strace.descendants().findFirst().orElseThrow();
            assertThat(node.destroy()).isTrue(); // SIGTERM
            assertThat(strace.waitFor(90, TimeUnit.SECONDS)).isTrue();
        } finally {
            strace.descendants().forEach(ProcessHandle::destroyForcibly);
            strace.destroyForcibly().waitFor();
        }
        assertThat(strace.exitValue())
                .as(Files.readString(folder.resolve("err.txt")))
                .isZero();
        assertThat(read(trace)).as("what is written is seen").contains(natives + "/", "O_CREAT");
        assertThat(written(trace)).isEmpty();
        assertThat(folder.resolve("data")).doesNotExist();
    }

    /** What a busy node does: it issues tokens, passes a request on, sends a tile, writes to its log. */
    private void ask(String banner) {
        String key = found(banner, "client key, shown once: (\\S+)");
        String token = issue(key, "svc-demo\",\"svc-gateway", "");
        Eventually.await(
                "the gateway has heard the issuer",
                () -> post("gateway", "/demo/echo", token, "hello").endsWith("hello"));
        Eventually.await(
                "the map is mounted",
                () -> send("edge", "GET /edge/tiles/world/0/0/0.mvt", "", "").startsWith("HTTP/1.1 200"));
        // Nobody has the keys of this log's signers, so a commit is tried; what is proposed is in the log.
        String capability = issue(key, "svc-registry", "\"scope=registry:propose,registry:commit\"");
        String[] registry = {"--registry-url", "http://127.0.0.1:" + port("registry"), "--capability", capability};
        AtomicReference<String> id = new AtomicReference<>("");
        Eventually.await("the registry has heard the issuer", () -> {
            id.set(ron(with(registry, "registry", "propose", "--put", "svc.x", "--body", "{}"))
                    .out()
                    .strip());
            return id.get().startsWith("p_");
        });
        assertThat(ron(with(registry, "registry", "commit", id.get())).err()).contains("quorum");
        assertThat(send("registry", "GET /registry/proposals/" + id.get(), "", ""))
                .contains("svc.x");
    }

    private static String[] with(String[] more, String... args) {
        return Stream.concat(Stream.of(args), Stream.of(more)).toArray(String[]::new);
    }

    private String issue(String key, String audience, String caveats) {
        String order = "{\"subject_ref\":\"someone\",\"audience\":[\"" + audience + "\"],\"ttl_s\":600,\"caveats\":["
                + caveats + "]}";
        return found(post("passport", "/v1/passport/issue", key, order), "\"token\":\"([^\"]+)\"");
    }

    private String post(String listener, String path, String token, String body) {
        return send(listener, "POST " + path, token, body);
    }

    private String send(String listener, String what, String token, String body) {
        String head = what + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " + body.length()
                + "\r\nContent-Type: application/json\r\n";
        String credential = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(listener))) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write((head + credential + "\r\n" + body).getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int port(String listener) {
        return Integer.parseInt(found(read(folder.resolve("ports.json")), "\"" + listener + "\":([0-9]+)"));
    }

    private static String found(String text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as("%s in %s", pattern, text).isTrue();
        return found.group(1);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> written(Path trace) throws IOException {
        try (Stream<String> lines = Files.lines(trace)) {
            return lines.filter(line -> !line.contains("= -1 E"))
                    .flatMap(line -> Stream.of(OPENED.matcher(line), CHANGED.matcher(line)))
                    .filter(Matcher::find)
                    .map(found -> found.group(1))
                    .filter(path -> !path.startsWith(natives.toString()))
                    .filter(path -> !path.contains("ports.json"))
                    .filter(path -> !path.startsWith("/proc/") && !path.startsWith("/dev/"))
                    .toList();
        }
    }

    private static boolean straceWorks() throws InterruptedException {
        try {
            Process probe = new ProcessBuilder("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return probe.waitFor(20, TimeUnit.SECONDS) && probe.exitValue() == 0;
        } catch (IOException notThere) {
            return false;
        }
    }
}
