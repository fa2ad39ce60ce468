package dev.ron.bench.edge;

import dev.ron.bench.side.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Peers that need not be there: Varnish from Debian, and a tile server from npm when downloads are asked for. */
final class Peers implements AutoCloseable {
    private final Path work;
    private final boolean download;
    private final int core;
    private final int tileServerPort;
    private final Optional<Server> varnish;
    private @Nullable Server tileServer;

    Peers(Path work, boolean download, int core, int backend, int varnishPort, int tileServerPort)
            throws IOException, InterruptedException {
        this.work = work;
        this.download = download;
        this.core = core;
        this.tileServerPort = tileServerPort;
        this.varnish = startVarnish(backend, varnishPort);
    }

    private Optional<Server> startVarnish(int backend, int port) throws IOException, InterruptedException {
        if (!Files.isExecutable(Path.of("/usr/sbin/varnishd"))) {
            System.out.println("skipped: Varnish is not here (apt-get install varnish)");
            return Optional.empty();
        }
        return Optional.of(Server.start(
                "varnish",
                core,
                port,
                work.resolve("varnish.log"),
                List.of(
                        "/usr/sbin/varnishd",
                        "-F",
                        "-n",
                        work.resolve("varnish").toString(),
                        "-a",
                        "127.0.0.1:" + port,
                        "-b",
                        "127.0.0.1:" + backend,
                        "-s",
                        "malloc,256m",
                        "-t",
                        "86400", // what it holds must not run out between two scenes
                        "-p",
                        "thread_pools=1")));
    }

    Optional<Server> varnish() {
        return varnish;
    }

    /** Fetched from npm, only with --peers. */
    Optional<Server> tileServer(Path pack) throws IOException, InterruptedException {
        if (!download) {
            System.out.println("skipped: tileserver-gl-light is downloaded only with --peers");
            return Optional.empty();
        }
        Path folder = Files.createDirectories(work.resolve("tileserver"));
        Process npm = new ProcessBuilder("npm", "install", "--no-audit", "--no-fund", "tileserver-gl-light")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("npm.log").toFile())
                .start();
        if (npm.waitFor() != 0) {
            System.out.println("skipped: tileserver-gl-light could not be installed, see " + folder.resolve("npm.log"));
            return Optional.empty();
        }
        Path config = Files.writeString(
                folder.resolve("config.json"),
                "{\"options\":{\"paths\":{\"root\":\"%1$s\",\"pmtiles\":\"%1$s\"}},\"data\":{\"bench\":{\"pmtiles\":\"%2$s\"}}}"
                        .formatted(pack.resolveSibling("."), pack.getFileName()));
        Server started = Server.start(
                "tileserver-gl-light",
                core,
                tileServerPort,
                folder.resolve("server.log"),
                List.of(
                        "node",
                        folder.resolve("node_modules/tileserver-gl-light/src/main.js")
                                .toString(),
                        "--config",
                        config.toString(),
                        "--port",
                        String.valueOf(tileServerPort),
                        "--silent"));
        tileServer = started;
        return Optional.of(started);
    }

    @Override
    public void close() {
        varnish.ifPresent(Server::close);
        if (tileServer != null) {
            tileServer.close();
        }
    }
}
