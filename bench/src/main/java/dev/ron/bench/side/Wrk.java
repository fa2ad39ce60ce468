package dev.ron.bench.side;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One run of wrk, pinned to a core, and what it said. */
public record Wrk(int core, int connections, int seconds, List<String> more) implements Load {
    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
    private static final Pattern P99 = Pattern.compile("99%\\s+([0-9.]+)(us|ms|s)");
    private static final Pattern BAD = Pattern.compile("Non-2xx or 3xx responses: ([0-9]+)");
    private static final Pattern SOCKET =
            Pattern.compile("Socket errors: connect ([0-9]+), read ([0-9]+), write ([0-9]+), timeout ([0-9]+)");

    @Override
    public Load lasting(int otherSeconds) {
        return new Wrk(core, connections, otherSeconds, more);
    }

    @Override
    public Result run(String url) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "taskset",
                "-c",
                String.valueOf(core),
                "wrk",
                "-t1",
                "-c" + connections,
                "-d" + seconds + "s",
                "--latency"));
        command.addAll(more);
        command.add(url);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        Matcher rate = RATE.matcher(said);
        if (!rate.find()) {
            throw new IOException("wrk said: " + said);
        }
        return new Result(Double.parseDouble(rate.group(1)), p99(said), errors(said), Double.NaN);
    }

    private static double p99(String said) {
        Matcher match = P99.matcher(said);
        if (!match.find()) {
            return Double.NaN;
        }
        double value = Double.parseDouble(match.group(1));
        return switch (match.group(2)) {
            case "us" -> value / 1000;
            case "s" -> value * 1000;
            default -> value;
        };
    }

    private static long errors(String said) {
        long count = 0;
        Matcher bad = BAD.matcher(said);
        if (bad.find()) {
            count += Long.parseLong(bad.group(1));
        }
        Matcher socket = SOCKET.matcher(said);
        if (socket.find()) {
            for (int i = 1; i <= 4; i++) {
                count += Long.parseLong(socket.group(i));
            }
        }
        return count;
    }
}
