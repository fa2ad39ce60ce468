package dev.ron.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Who listens on a port, as far as {@code /proc} shows it to us: other people's processes stay unnamed. */
public record PortHolder(long pid, String command) {
    private static final Path PROC = Path.of("/proc");
    /** There where systemd has booted the machine, as sd_booted(3) says. */
    private static final Path SYSTEMD = Path.of("/run/systemd/system");

    private static final String LISTENING = "0A";
    private static final int MOST_COMMAND = 120;

    /** Who listens there, a service manager that only keeps the socket last; none where we may not see them. */
    public static List<PortHolder> of(int port) {
        Set<String> sockets = new HashSet<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            sockets.addAll(listening(PROC.resolve(table), port));
        }
        return sockets.isEmpty() ? List.of() : processes(sockets);
    }

    /** A line of the table: number, local address, remote address, state, ..., and tenth the inode. */
    private static Set<String> listening(Path table, int port) {
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        Set<String> found = new HashSet<>();
        try {
            for (String line : Files.readAllLines(table)) {
                String[] words = line.strip().split("\\s+", -1);
                if (words.length > 9 && words[1].endsWith(suffix) && LISTENING.equals(words[3])) {
                    found.add("socket:[" + words[9] + "]");
                }
            }
        } catch (IOException _) {
            return Set.of(); // not Linux, or not for us to see
        }
        return found;
    }

    private static List<PortHolder> processes(Set<String> sockets) {
        List<PortHolder> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (holds(process, sockets)) {
                    long pid = Long.parseLong(process.getFileName().toString());
                    found.add(new PortHolder(pid, commandOf(process)));
                }
            }
        } catch (IOException _) {
            return found; // one ended meanwhile
        }
        found.sort(Comparator.comparing(PortHolder::isServiceManager));
        return found;
    }

    /** systemd holds the sockets that it hands over, from before a node starts until after it ends. */
    public boolean isServiceManager() {
        return pid == 1 && Files.isDirectory(SYSTEMD);
    }

    private static boolean holds(Path process, Set<String> sockets) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path file : files) {
                if (sockets.contains(Files.readSymbolicLink(file).toString())) {
                    return true;
                }
            }
        } catch (IOException _) {
            return false; // ended meanwhile, or somebody else's
        }
        return false;
    }

    private static String commandOf(Path process) throws IOException {
        String line = new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.UTF_8)
                .replace('\0', ' ')
                .strip();
        if (line.length() <= MOST_COMMAND) {
            return line;
        }
        // The flags of a virtual machine say less than what comes behind them.
        String program = line.split(" ", 2)[0];
        return program + " ... " + line.substring(line.length() - Math.max(40, MOST_COMMAND - program.length()));
    }

    /** Such as {@code process 4711 (nginx -g daemon off;)}. */
    @Override
    public String toString() {
        return "process " + pid + " (" + command + ")";
    }
}
