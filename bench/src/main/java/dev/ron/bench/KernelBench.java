package dev.ron.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;

/** {@code ron bench kernel}: what handing over an item costs, beside ArrayBlockingQueue, and the kernel's small steps. */
public final class KernelBench {
    private KernelBench() {}

    public static void main(String[] args) throws RunnerException {
        handOver(run(MailboxBench.class));
        smallSteps(run(OpsBench.class));
    }

    private static Collection<RunResult> run(Class<?> bench) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(bench.getSimpleName())
                        .forks(1)
                        .warmupIterations(2)
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(7)
                        .measurementTime(TimeValue.seconds(1))
                        .jvmArgsAppend("--sun-misc-unsafe-memory-access=allow", "-XX:+UseParallelGC", "-Xmx512m")
                        .build())
                .run();
    }

    private static void handOver(Collection<RunResult> results) {
        Map<String, Map<String, Statistics>> byShape = new TreeMap<>();
        for (RunResult result : results) {
            String shape = name(result) + " -> 1, " + result.getParams().getParam("threads") + " threads";
            byShape.computeIfAbsent(shape, key -> new TreeMap<>())
                    .put(result.getParams().getParam("queue"), statistics(result));
        }
        byShape.forEach((shape, byQueue) -> {
            System.out.println("\n| " + shape
                    + " | ns per item, median | min | max | speed, array = 1 |\n| --- | --- | --- | --- | --- |");
            double array = median(byQueue.get("array"));
            byQueue.forEach((queue, times) -> System.out.printf(
                    Locale.ROOT,
                    "| %s | %.0f | %.0f | %.0f | %.2f |%n",
                    queue,
                    median(times),
                    times.getMin(),
                    times.getMax(),
                    array / median(times)));
        });
    }

    private static void smallSteps(Collection<RunResult> results) {
        System.out.println("\n| step | ns, median | min | max |\n| --- | --- | --- | --- |");
        for (RunResult result : results) {
            Statistics times = statistics(result);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f | %.1f |%n",
                    name(result),
                    median(times),
                    times.getMin(),
                    times.getMax());
        }
    }

    private static String name(RunResult result) {
        return result.getParams().getBenchmark().replaceAll(".*\\.", "");
    }

    private static Statistics statistics(RunResult result) {
        return result.getPrimaryResult().getStatistics();
    }

    private static double median(@Nullable Statistics times) {
        return times == null ? Double.NaN : times.getPercentile(50);
    }
}
