package dev.ron.edge;

import dev.ron.edge.mount.Mounts;
import dev.ron.edge.mount.PackCheck;
import dev.ron.edge.mount.PackFolder;
import dev.ron.edge.pack.Headway;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.demo.DemoWorld;
import dev.ron.edge.serve.HotCache;
import dev.ron.edge.serve.OpenFiles;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.task.TaskScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the mounts in line with their folder, and makes the demo world at the first start of a demo. */
final class PackFollower {
    private static final Logger LOG = LoggerFactory.getLogger(PackFollower.class);
    private static final String WORLD = "world.pmtiles";

    private final Setup setup;
    private final Optional<Path> path;
    private final Optional<PackFolder> folder;
    private final Mounts mounts;
    private final PackCheck check;
    private final HotCache cache;
    private final OpenFiles open;
    private final Duration interval;

    PackFollower(
            Setup setup,
            Optional<Path> path,
            Optional<PackFolder> folder,
            Mounts mounts,
            PackCheck check,
            HotCache cache,
            OpenFiles open,
            Duration interval) {
        this.setup = setup;
        this.path = path;
        this.folder = folder;
        this.mounts = mounts;
        this.check = check;
        this.cache = cache;
        this.open = open;
        this.interval = interval;
    }

    void run(TaskScope scope) throws IOException {
        makeDemoWorld(scope);
        do {
            look();
            open.tidy();
        } while (scope.sleep(interval));
    }

    /** One look at the folder. */
    void look() {
        if (folder.isEmpty() || !Files.isDirectory(path.orElseThrow())) {
            return;
        }
        try {
            if (folder.get().follow() > 0) {
                LOG.info("packs: {}", mounts.names());
                cache.forgetTilesBut(mounts);
            }
        } catch (PackError e) {
            LOG.error("{}", e.detail(), e.getCause());
        }
        check.schedule();
    }

    /** In the background: a node is ready before its demo world is, and does not wait for it when it stops. */
    private void makeDemoWorld(TaskScope scope) throws IOException {
        Optional<Path> home = setup.folder().map(folder -> folder.resolve("packs"));
        if (!setup.demo()
                || home.isEmpty()
                || !home.equals(path)
                || Files.exists(home.get().resolve(WORLD))) {
            return;
        }
        Files.createDirectories(home.get());
        Path half = home.get().resolve(WORLD + ".part");
        new DemoWorld().write(half, new Headway() {
            @Override
            public void total(long tiles) {}

            @Override
            public void done(long tiles) {
                if (scope.stopping()) {
                    throw new Canceled("the demo world"); // what is there of it is written anew at the next start
                }
            }
        });
        Files.move(half, home.get().resolve(WORLD), StandardCopyOption.ATOMIC_MOVE);
    }
}
