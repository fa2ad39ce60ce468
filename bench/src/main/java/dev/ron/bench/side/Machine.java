package dev.ron.bench.side;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What the run ran on, and how much of it others took meanwhile. */
public final class Machine {
    private static final double TICKS_PER_SECOND = 100;

    private Machine() {}

    public static String describe() throws IOException {
        List<String> cores; // all there are, also where this process may use one
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            cores = lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .toList();
        }
        return cores.size() + " cores of " + (cores.isEmpty() ? "an unknown processor" : cores.getFirst()) + ", Linux "
                + System.getProperty("os.version") + ", Java " + Runtime.version();
    }

    /** Busy ticks of all cores, without what the hypervisor gave to others. */
    static long busyTicks() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
            long[] fields = Arrays.stream(
                            lines.findFirst().orElseThrow().substring(4).strip().split(" +", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            // user + nice + system + irq + softirq + steal; steal is time somebody else took from us.
            return fields[0] + fields[1] + fields[2] + fields[5] + fields[6] + fields[7];
        }
    }

    /** Ticks of this process, its children (ended ones too) and their children. */
    static long ownTicks() throws IOException {
        long sum = ticks(ProcessHandle.current().pid(), true);
        for (ProcessHandle child : ProcessHandle.current().descendants().toList()) {
            sum += ticks(child.pid(), true);
        }
        return sum;
    }

    private static long ticks(long pid, boolean withEnded) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long own = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
            return withEnded ? own + Long.parseLong(fields[13]) + Long.parseLong(fields[14]) : own;
        } catch (IOException _) {
            return 0; // it ended meanwhile
        }
    }

    /** Resident memory of a process, in MiB. */
    public static double residentMib(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** The share of one core that neither we nor our children used, between two readings. */
    static double others(long busyTicks, long ownTicks, double seconds) {
        return Math.max(0, busyTicks - ownTicks) / TICKS_PER_SECOND / seconds;
    }
}
