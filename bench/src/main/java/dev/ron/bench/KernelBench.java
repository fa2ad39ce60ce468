package dev.ron.bench;

import dev.ron.bench.side.Scorecard;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;

/** {@code ron bench kernel}: what handing over an item costs, beside ArrayBlockingQueue, and the kernel's small steps. */
public final class KernelBench {
    private KernelBench() {}

    public static void main(String[] args) throws RunnerException, IOException {
        List<String> flags = List.of(args);
        boolean quick = flags.contains("--quick");
        Map<String, Map<String, Statistics>> byShape = byShape(run(MailboxBench.class, quick));
        handOver(byShape);
        smallSteps(run(OpsBench.class, quick));
        System.out.println();
        Scorecard card = new Scorecard(
                "kernel",
                flags,
                "JMH, one fork; capacity 512, 400,000 items per round from 1 or 8 senders to 1 receiver");
        byShape.forEach((shape, byQueue) -> compare(card, shape, byQueue));
        System.exit(card.finish());
    }

    /** How many times as fast as ArrayBlockingQueue the mailbox hands an item over. */
    private static void compare(Scorecard card, String shape, Map<String, Statistics> byQueue) {
        double array = median(byQueue.get("array"));
        Statistics mailbox = byQueue.get("mailbox");
        if (mailbox != null) {
            card.atLeast(
                    "hand over, " + shape,
                    array / median(mailbox),
                    array / mailbox.getMax(),
                    array / mailbox.getMin(),
                    "x ArrayBlockingQueue",
                    1);
        }
    }

    private static Collection<RunResult> run(Class<?> bench, boolean quick) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(bench.getSimpleName())
                .forks(1)
                .warmupIterations(2)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(quick ? 3 : 7)
                .measurementTime(TimeValue.seconds(1))
                .jvmArgsAppend("--sun-misc-unsafe-memory-access=allow", "-XX:+UseParallelGC", "-Xmx512m");
        if (quick && bench == MailboxBench.class) {
            options.param("queue", "mailbox", "array");
        }
        return new Runner(options.build()).run();
    }

    private static Map<String, Map<String, Statistics>> byShape(Collection<RunResult> results) {
        Map<String, Map<String, Statistics>> byShape = new TreeMap<>();
        for (RunResult result : results) {
            String shape = name(result) + " -> 1, " + result.getParams().getParam("threads") + " threads";
            byShape.computeIfAbsent(shape, key -> new TreeMap<>())
                    .put(result.getParams().getParam("queue"), statistics(result));
        }
        return byShape;
    }

    private static void handOver(Map<String, Map<String, Statistics>> byShape) {
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
