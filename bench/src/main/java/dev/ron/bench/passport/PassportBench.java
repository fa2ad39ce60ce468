package dev.ron.bench.passport;

import dev.ron.bench.side.Comparison;
import dev.ron.bench.side.Machine;
import dev.ron.bench.side.Wrk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** {@code ron bench passport}: verify with JMH, issue over HTTP on one core, revoke until a second process refuses. */
public final class PassportBench {
    private static final int PORT_BASE = 28_730;
    private static final int CONNECTIONS = 64;

    private final boolean quick;
    private final List<String> report = new ArrayList<>();
    private boolean good = true;

    private PassportBench(boolean quick) {
        this.quick = quick;
    }

    public static void main(String[] args) throws Exception {
        List<String> flags = List.of(args);
        PassportBench bench = new PassportBench(flags.contains("--quick"));
        boolean all = !flags.contains("verify") && !flags.contains("issue") && !flags.contains("revoke");
        if (all || flags.contains("verify")) {
            bench.verify();
        }
        if (all || flags.contains("issue") || flags.contains("revoke")) {
            Path work = Files.createTempDirectory("ron-bench");
            try (Office office = Office.start(0, PORT_BASE, work)) {
                if (all || flags.contains("issue")) {
                    bench.issue(office, work);
                }
                if (all || flags.contains("revoke")) {
                    bench.revoke(office, work);
                }
            }
        }
        System.out.println();
        System.out.println(Machine.describe() + "\n");
        System.out.println("| passport | measured | must | aim | |\n| --- | --- | --- | --- | --- |");
        bench.report.forEach(System.out::println);
        System.exit(!bench.good && flags.contains("--gate") ? 1 : 0);
    }

    private void row(String what, double value, String unit, double must, double aim) {
        boolean reached = value >= must;
        good &= reached;
        report.add(String.format(
                Locale.ROOT,
                "| %s | %,.0f%s | %,.0f | %,.0f | %s |",
                what,
                value,
                unit,
                must,
                aim,
                value >= aim ? "aim reached" : reached ? "must reached" : "NOT reached"));
    }

    private void verify() throws RunnerException {
        for (RunResult run : new Runner(new OptionsBuilder()
                        .include(VerifyBench.class.getSimpleName())
                        .forks(quick ? 1 : 2)
                        .warmupIterations(quick ? 2 : 5)
                        .warmupTime(TimeValue.seconds(2))
                        .measurementIterations(quick ? 2 : 5)
                        .measurementTime(TimeValue.seconds(2))
                        .shouldFailOnError(false)
                        .jvmArgsAppend("-XX:+UseSerialGC", "-Xmx256m")
                        .build())
                .run()) {
            String engine = run.getParams().getParam("engine");
            boolean cached = run.getParams().getBenchmark().endsWith("cached");
            double must = cached ? 300_000 : "accp".equals(engine) ? 10_000 : 5_000;
            row(
                    (cached ? "verify, cached, " : "verify, cold, root and one block, ") + engine,
                    run.getPrimaryResult().getScore(),
                    String.format(
                            Locale.ROOT, "/s (± %,.0f)", run.getPrimaryResult().getScoreError()),
                    must,
                    cached ? 1_000_000 : must);
        }
    }

    private void issue(Office office, Path work) throws IOException, InterruptedException {
        Path script = Files.writeString(work.resolve("issue.lua"), """
                wrk.method = "POST"
                wrk.body = '%s'
                wrk.headers["Content-Type"] = "application/json"
                wrk.headers["Authorization"] = "Bearer %s"
                """.formatted(Office.ORDER, office.key()));
        Wrk load = new Wrk(1, CONNECTIONS, quick ? 4 : 8, List.of("-s", script.toString()));
        Comparison rounds = new Comparison("issue over HTTP", load, System.out)
                .add("ron", office.url("/v1/passport/issue"))
                .run(quick ? 8 : 20, quick ? 3 : 5);
        Duration before = office.cpu();
        Wrk.Result last = load.run(office.url("/v1/passport/issue"));
        double micros = office.cpu().minus(before).toNanos() / 1e3 / (last.perSecond() * load.seconds());
        System.out.println(rounds.table());
        row("issue over HTTP, service on one core, 64 connections", rounds.rate("ron"), "/s", 6_000, 15_000);
        report.add(String.format(
                Locale.ROOT,
                "| processor time per issued token | %.1f µs (at most %,.0f/s per core) | | | errors: %d |",
                micros,
                1e6 / micros,
                last.errors()));
    }

    private void revoke(Office office, Path work) throws Exception {
        Propagation seen = Propagation.measure(office, quick ? 1_000 : 10_000, work);
        boolean reached = seen.p99Millis() <= 5_000;
        good &= reached;
        report.add(String.format(
                Locale.ROOT,
                "| %,d revocations until a second process refuses the token | p50 %.0f ms, p99 %.0f ms, longest %.0f ms"
                        + " (revoked at %,.0f/s) | p99 5,000 ms | | %s |",
                seen.revocations(),
                seen.p50Millis(),
                seen.p99Millis(),
                seen.maxMillis(),
                seen.perSecond(),
                reached ? "must reached" : "NOT reached"));
    }
}
