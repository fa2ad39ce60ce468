package dev.ron.bench.passport;

import dev.ron.bench.side.Comparison;
import dev.ron.bench.side.Load;
import dev.ron.bench.side.Scorecard;
import dev.ron.bench.side.Scratch;
import dev.ron.bench.side.Wrk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
    private final Scorecard card;

    private PassportBench(List<String> flags) {
        this.quick = flags.contains("--quick");
        this.card =
                new Scorecard("passport", flags, "verify by JMH on one thread; the office on core 0, wrk on core 1");
    }

    public static void main(String[] args) throws Exception {
        List<String> flags = List.of(args);
        PassportBench bench = new PassportBench(flags);
        boolean all = !flags.contains("verify") && !flags.contains("issue") && !flags.contains("revoke");
        if (all || flags.contains("verify")) {
            bench.verify();
        }
        if (all || flags.contains("issue") || flags.contains("revoke")) {
            Path work = Scratch.folder("ron-bench");
            try (Office office = Office.start(0, PORT_BASE, work)) {
                if (all || flags.contains("issue")) {
                    bench.issue(office, work);
                }
                if (all || flags.contains("revoke")) {
                    bench.revoke(office, work);
                }
            }
        }
        System.exit(bench.card.finish());
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
            String benchmark = run.getParams().getBenchmark();
            double score = run.getPrimaryResult().getScore();
            if (benchmark.endsWith("signature")) {
                System.out.printf(Locale.ROOT, "one signature of a root checked by %s: %,.0f/s%n", engine, score);
                continue;
            }
            boolean cached = benchmark.endsWith("cached");
            double must = cached ? 300_000 : "accp".equals(engine) ? 10_000 : 5_000;
            double error = Double.isNaN(run.getPrimaryResult().getScoreError())
                    ? 0
                    : run.getPrimaryResult().getScoreError();
            String what = (cached ? "verify, cached, " : "verify, cold, root and one block, ") + engine;
            card.atLeast(what, score, score - error, score + error, "/s", must);
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
        Load.Result last = load.run(office.url("/v1/passport/issue"));
        double micros = office.cpu().minus(before).toNanos() / 1e3 / (last.perSecond() * load.seconds());
        System.out.println(rounds.table());
        card.atLeast("issue over HTTP, service on one core, 64 connections", rounds.rate("ron"), "/s", 6_000);
        System.out.printf(
                Locale.ROOT,
                "processor time per issued token: %.1f µs (at most %,.0f/s per core), errors: %d%n",
                micros,
                1e6 / micros,
                last.errors());
    }

    private void revoke(Office office, Path work) throws Exception {
        Propagation seen = Propagation.measure(office, quick ? 1_000 : 10_000, work);
        System.out.printf(
                Locale.ROOT,
                "revoked at %,.0f/s; p50 %.0f ms, longest %.0f ms%n",
                seen.perSecond(),
                seen.p50Millis(),
                seen.maxMillis());
        String what = String.format(Locale.ROOT, "%,d revocations at a second process, p99", seen.revocations());
        card.atMost(what, seen.p99Millis(), "ms", 5_000);
    }
}
