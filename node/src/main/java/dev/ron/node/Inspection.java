package dev.ron.node;

import dev.ron.node.data.DataFolder;
import dev.ron.node.data.OperatorToken;
import io.netty.channel.epoll.Epoll;
import io.netty.handler.ssl.OpenSsl;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Looks at what a node needs before it starts: ports, folder, and the machine. */
public final class Inspection {
    private static final long ENOUGH_FILES = 4096;
    private static final long ENOUGH_DISK = 256L << 20;

    private final NodeConfig config;
    private final List<String> listeners;
    private final OptionalLong running;
    private final Findings findings = new Findings();

    public Inspection(NodeConfig config, List<String> listeners) {
        this.config = config;
        this.listeners = listeners;
        this.running = DataFolder.holder(config.data());
    }

    /** Ports and data folder: what would stop a start. */
    public Inspection start() {
        Ports ports = new Ports(config.portBase());
        if (config.portBase() == 0) {
            findings.ok("ports", "chosen by the system");
        } else {
            listeners.stream().sorted(Comparator.comparingInt(ports::of)).forEach(name -> port(name, ports.of(name)));
        }
        if (config.profile() == NodeConfig.Profile.MICRO) {
            findings.ok("data", "nothing is written (profile micro)");
        } else {
            data();
        }
        return this;
    }

    private void port(String listener, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            // These two never leave loopback.
            InetAddress address = List.of("ops", "admin").contains(listener)
                    ? InetAddress.getLoopbackAddress()
                    : InetAddress.getByName(config.bind());
            socket.bind(new InetSocketAddress(address, port));
            findings.ok("port " + port, listener);
        } catch (IOException e) {
            taken(listener, port, PortHolder.of(port), String.valueOf(e.getMessage()));
        }
    }

    private void taken(String listener, int port, List<PortHolder> holders, String otherwise) {
        if (running.isPresent() && holders.stream().anyMatch(holder -> holder.pid() == running.getAsLong())) {
            findings.ok("port " + port, listener + ", of the node that runs with this folder");
        } else if (!holders.isEmpty() && holders.getFirst().isServiceManager()) {
            findings.warn(
                    "port " + port,
                    listener + ": held for us by systemd, or for another unit",
                    "systemctl list-sockets says for which");
        } else {
            findings.bad(
                    "port " + port,
                    listener + ": " + (holders.isEmpty() ? otherwise : "held by " + holders.getFirst()),
                    "free it, or choose others with --port-base N");
        }
    }

    private void data() {
        if (running.isPresent()) {
            findings.ok(
                    "data", config.data() + ", of the node that runs with it (process " + running.getAsLong() + ")");
            return;
        }
        if (!Files.exists(config.data())) {
            absent();
            return;
        }
        try (DataFolder folder = DataFolder.open(config.data())) {
            findings.ok("data", folder.root() + " can be locked and written");
        } catch (Stop stop) {
            findings.bad("data", stop.lines().get(1), stop.lines().getLast());
        } catch (IOException e) {
            findings.bad("data", e.toString(), "choose another folder with --data DIR");
        }
        Path token = OperatorToken.file(config.data());
        try {
            if (Files.exists(token)) {
                Set<PosixFilePermission> mode = Files.getPosixFilePermissions(token);
                if (!mode.equals(PosixFilePermissions.fromString("rw-------"))) {
                    findings.bad("operator.token", "mode " + PosixFilePermissions.toString(mode), "chmod 600 " + token);
                }
            }
        } catch (IOException | UnsupportedOperationException e) { // some file systems know no modes
            findings.warn("operator.token", "mode unknown: " + e, "keep it readable by its owner only");
        }
    }

    /** Who only looks makes no folder. */
    private void absent() {
        Path above = existing();
        if (Files.isDirectory(above) && Files.isWritable(above)) {
            findings.ok("data", config.data() + " will be made");
        } else {
            findings.bad(
                    "data", config.data() + " cannot be made in " + above, "choose another folder with --data DIR");
        }
    }

    /** The data folder, or the nearest above it that is there. */
    private Path existing() {
        Path folder = config.data().toAbsolutePath().normalize();
        while (!Files.exists(folder) && folder.getParent() != null) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** The machine: what would make a node slow or weak. */
    public Inspection machine() {
        int java = Runtime.version().feature();
        if (java >= 25) {
            findings.ok("java", Runtime.version().toString());
        } else {
            findings.bad("java", "version " + java, "install JDK 25; ./ron finds it by itself");
        }
        findings.ok("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        findings.ok("heap", (Runtime.getRuntime().maxMemory() >> 20) + " MiB at most (RON_HEAP changes it)");
        files();
        disk();
        if (Epoll.isAvailable()) {
            findings.ok("transport", "epoll");
        } else {
            findings.warn("transport", "NIO", "the native epoll library did not load; it is faster on Linux");
        }
        if (OpenSsl.isAvailable()) {
            findings.ok("tls", OpenSsl.versionString() + ", X25519MLKEM768");
        } else {
            findings.warn("tls", "the JDK's own", "BoringSSL did not load: no post-quantum key exchange");
        }
        return this;
    }

    private void files() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.UnixOperatingSystemMXBean os) {
            long limit = os.getMaxFileDescriptorCount();
            if (limit >= ENOUGH_FILES) {
                findings.ok("open files", "up to " + limit);
            } else {
                findings.warn("open files", "up to " + limit, "raise it: ulimit -n 65536");
            }
        }
    }

    private void disk() {
        Path folder = existing();
        long free = folder.toFile().getUsableSpace();
        if (free >= ENOUGH_DISK) {
            findings.ok("disk", (free >> 20) + " MiB free");
        } else {
            findings.warn("disk", (free >> 20) + " MiB free", "make room under " + folder);
        }
    }

    public Findings findings() {
        return findings;
    }
}
