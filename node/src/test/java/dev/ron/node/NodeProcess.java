package dev.ron.node;

import dev.ron.http.json.StrictJson;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** A real node in a process of its own, on ports the system chose. */
final class NodeProcess implements AutoCloseable {
    private static final int START_SECONDS = 60;

    private final Process process;
    private final Path folder;

    private NodeProcess(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /** Starts {@code ron up} with these further arguments and waits until it has written its ports. */
    static NodeProcess up(Path folder, String... more) {
        List<String> args = new ArrayList<>(List.of("up", "--port-base", "0", "--ports-file", "ports.json"));
        args.addAll(List.of(more));
        NodeProcess node = start(folder, args.toArray(String[]::new));
        for (int i = 0; i < START_SECONDS * 20 && !Files.exists(folder.resolve("ports.json")); i++) {
            if (!node.process.isAlive()) {
                throw new IllegalStateException("the node ended: " + node.err());
            }
            node.pause();
        }
        return node;
    }

    /** Starts any {@code ron} command in a folder of its own. */
    static NodeProcess start(Path folder, String... args) {
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of(args));
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectOutput(folder.resolve("out.txt").toFile())
                    .redirectError(folder.resolve("err.txt").toFile())
                    .start();
            return new NodeProcess(process, folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What runs {@code ron} with the classes under test; its arguments follow. */
    static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                // several modules bring a logback-test.xml, and logback would complain on standard output
                "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener",
                "-cp",
                absoluteClassPath(),
                "dev.ron.node.Main");
    }

    private static String absoluteClassPath() {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(":", -1)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(":", entries);
    }

    /** What {@code GET} of a path on a listener answers: the status line, the fields and the body as they came. */
    String get(String listener, String path) {
        return exchange(listener, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    String get(String listener, String path, String token) {
        return exchange(
                listener,
                "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " + token
                        + "\r\n\r\n");
    }

    /** The token that the node printed. */
    String demoToken() {
        Matcher found = Pattern.compile("TOKEN='([^']+)'").matcher(out());
        if (!found.find()) {
            throw new IllegalStateException("no token was printed: " + out());
        }
        return found.group(1);
    }

    /** Sends these bytes on a new connection and answers everything that comes until it is closed. */
    String exchange(String listener, String request) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(listener))) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port(String listener) {
        try {
            JsonNode ports = new StrictJson().tree(Files.readAllBytes(folder.resolve("ports.json")));
            return ports.get(listener).asInt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String out() {
        return read("out.txt");
    }

    String err() {
        return read("err.txt");
    }

    private String read(String name) {
        try {
            return Files.readString(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url(String listener) {
        return "http://127.0.0.1:" + port(listener);
    }

    void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end and answers the exit code. */
    int exitCode() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the node does not end: " + err());
            }
            return process.exitValue();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted");
        }
    }

    private void pause() {
        try {
            process.waitFor(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        exitCode();
    }
}
