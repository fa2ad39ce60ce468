package dev.ron.bench.side;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A server process of ours or of a peer, pinned to a core, that answers on a loopback port. */
public final class Server implements AutoCloseable {
    private final String name;
    private final Process process;
    private final int port;

    // A bench that is ended early must not leave a server behind: it would answer in the place of the next one's.
    private static final Set<Server> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Server::end)));
    }

    private Server(String name, Process process, int port) {
        this.name = name;
        this.process = process;
        this.port = port;
    }

    /** Starts a command pinned to a core and waits until the port accepts. */
    public static Server start(String name, int core, int port, Path log, List<String> command)
            throws IOException, InterruptedException {
        requireFree(name, port);
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", String.valueOf(core)));
        pinned.addAll(command);
        Process process = new ProcessBuilder(pinned)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Server server = new Server(name, process, port);
        RUNNING.add(server);
        server.awaitPort(log);
        return server;
    }

    /** nginx with one worker, no access log, and the given {@code http} block content. */
    public static Server nginx(String name, int core, int port, Path folder, String http)
            throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("logs"));
        Path conf = folder.resolve("nginx.conf");
        // Run by root its worker would be nobody, who may not read a temporary folder: every answer would be a 403.
        String user = "root".equals(System.getProperty("user.name")) ? "user root;" : "";
        Files.writeString(conf, """
                %s
                worker_processes 1;
                worker_rlimit_nofile 20000;
                pid nginx.pid;
                error_log logs/error.log;
                events { worker_connections 4096; }
                http {
                  access_log off;
                  sendfile on;
                  keepalive_timeout 65;
                  keepalive_requests 100000000;
                  %s
                }
                """.formatted(user, http));
        return start(
                name,
                core,
                port,
                folder.resolve("logs/out.log"),
                List.of("nginx", "-p", folder.toString(), "-c", conf.toString(), "-g", "daemon off;"));
    }

    /** nginx as a proxy that keeps its connections to one server. */
    public static Server nginxProxy(int core, int port, Path folder, int backend)
            throws IOException, InterruptedException {
        return nginx("nginx", core, port, folder, """
                upstream backend { server 127.0.0.1:%d; keepalive 64; keepalive_requests 100000000; }
                server {
                  listen 127.0.0.1:%d;
                  location / {
                    proxy_pass http://backend;
                    proxy_http_version 1.1;
                    proxy_set_header Connection "";
                    proxy_read_timeout 60s;
                  }
                }
                """.formatted(backend, port));
    }

    /** HAProxy with one thread in front of one server; {@code limits} go with the server. */
    public static Server haproxy(int core, int port, Path folder, int backend, String limits)
            throws IOException, InterruptedException {
        Path config = Files.writeString(folder.resolve("haproxy.cfg"), """
                global
                  nbthread 1
                  maxconn 4096
                defaults
                  mode http
                  timeout connect 5s
                  timeout client 60s
                  timeout server 60s
                  timeout queue 60s
                  http-reuse always
                frontend front
                  bind 127.0.0.1:%d
                  default_backend back
                backend back
                  server one 127.0.0.1:%d %s
                """.formatted(port, backend, limits));
        List<String> command = List.of("haproxy", "-db", "-f", config.toString());
        return start("haproxy", core, port, folder.resolve("haproxy.log"), command);
    }

    private static void requireFree(String name, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
        } catch (IOException _) {
            return;
        }
        throw new IOException("port " + port + " is taken, by what is not the " + name + " of this bench");
    }

    private void awaitPort(Path log) throws IOException, InterruptedException {
        for (int i = 0; i < 600; i++) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
                return;
            } catch (IOException _) {
                if (!process.isAlive()) {
                    throw new IOException(name + " did not start: " + Files.readString(log));
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        throw new IOException(name + " did not listen on " + port);
    }

    public String url(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    public String name() {
        return name;
    }

    /** Resident memory, in MiB. */
    public double residentMib() throws IOException {
        return Machine.residentMib(process.pid());
    }

    public long pid() {
        return process.pid();
    }

    private void end() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }

    @Override
    public void close() {
        end();
        RUNNING.remove(this);
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
