package dev.ron.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** {@code ron bench kernel}: items handed over per microsecond, and the ratio to ArrayBlockingQueue. */
public final class KernelBench {
    private KernelBench() {}

    public static void main(String[] args) throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(MailboxBench.class.getSimpleName())
                        .forks(1)
                        .warmupIterations(3)
                        .warmupTime(TimeValue.seconds(2))
                        .measurementIterations(5)
                        .measurementTime(TimeValue.seconds(2))
                        .timeout(TimeValue.seconds(20))
                        .jvmArgsAppend("--sun-misc-unsafe-memory-access=allow", "-XX:+UseParallelGC", "-Xmx512m")
                        .build())
                .run();
        Map<String, Map<String, RunResult>> byGroup = new TreeMap<>();
        for (RunResult result : results) {
            String group = result.getParams().getBenchmark().replaceAll(".*\\.", "");
            byGroup.computeIfAbsent(group, g -> new TreeMap<>())
                    .put(result.getParams().getParam("queue"), result);
        }
        byGroup.forEach(KernelBench::print);
    }

    /** A send counts when it was accepted, so the senders' rate is the rate of items, whatever the receiver does. */
    private static void print(String group, Map<String, RunResult> byQueue) {
        String send = "send" + group.substring(0, 1).toUpperCase(Locale.ROOT) + group.substring(1);
        System.out.println("\n| " + group + " -> 1 | items/µs | error | ratio to array |");
        System.out.println("| --- | --- | --- | --- |");
        double array = result(byQueue.get("array"), send).map(Result::getScore).orElse(Double.NaN);
        byQueue.forEach((queue, run) -> result(run, send)
                .ifPresent(result -> System.out.printf(
                        Locale.ROOT,
                        "| %s | %.2f | %.2f | %.2f |%n",
                        queue,
                        result.getScore(),
                        result.getScoreError(),
                        result.getScore() / array)));
    }

    private static Optional<Result<?>> result(@Nullable RunResult run, String label) {
        return run == null
                ? Optional.empty()
                : Optional.ofNullable(run.getSecondaryResults().get(label));
    }
}
