package dev.ron.bench.passport;

import dev.ron.bench.side.Java;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Revokes many tokens one by one, each answered from disk, and asks a verifier in a second process when it refused each.
 *
 * <p>The time runs from sending the revocation, not from its answer; both processes read the same monotonic clock.
 */
record Propagation(int revocations, double perSecond, double p50Millis, double p99Millis, double maxMillis) {
    private static final int WRITERS = 16;

    static Propagation measure(Office office, int count, Path work) throws Exception {
        try (Crew crew = new Crew()) {
            List<String> tokens = crew.each(
                    count,
                    i -> office.post("/v1/passport/issue", Office.ORDER)
                            .path("token")
                            .asString());
            Path file = Files.write(work.resolve("tokens"), tokens);
            Path times = work.resolve("times");
            String issuer = office.url("");
            List<String> command = new ArrayList<>(Java.command("-XX:TieredStopAtLevel=4"));
            command.addAll(
                    List.of(Watcher.class.getName(), issuer, issuer, office.key(), file.toString(), times.toString()));
            Process watcher = new ProcessBuilder(command)
                    .redirectError(work.resolve("watcher.log").toFile())
                    .start();
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(watcher.getInputStream(), StandardCharsets.UTF_8))) {
                if (!"watching".equals(out.readLine())) {
                    throw new IOException("the verifier ended: " + Files.readString(work.resolve("watcher.log")));
                }
                long start = System.nanoTime();
                List<Long> sent = crew.each(count, i -> {
                    long at = System.nanoTime();
                    office.post(
                            "/v1/passport/revoke",
                            JsonNodeFactory.instance
                                    .objectNode()
                                    .put("token", tokens.get(i))
                                    .toString());
                    return at;
                });
                double seconds = (System.nanoTime() - start) / 1e9;
                if (!watcher.waitFor(60, TimeUnit.SECONDS)) {
                    throw new IOException("not every revocation was seen within 60 s");
                }
                return of(sent, Files.readAllLines(times), count / seconds);
            } finally {
                watcher.destroyForcibly();
            }
        }
    }

    private static Propagation of(List<Long> sent, List<String> seen, double perSecond) {
        double[] millis = new double[sent.size()];
        for (int i = 0; i < millis.length; i++) {
            millis[i] = (Long.parseLong(seen.get(i)) - sent.get(i)) / 1e6;
        }
        Arrays.sort(millis);
        return new Propagation(
                millis.length,
                perSecond,
                millis[millis.length / 2],
                millis[(int) (millis.length * 0.99)],
                millis[millis.length - 1]);
    }

    /** A few callers side by side. */
    private static final class Crew implements AutoCloseable {
        private final ThreadPoolExecutor pool =
                new ThreadPoolExecutor(WRITERS, WRITERS, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1 << 20));

        /** One call. */
        private interface Call<T> {
            T make(int number) throws Exception;
        }

        <T> List<T> each(int count, Call<T> call) throws InterruptedException, ExecutionException {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                futures.add(pool.submit(() -> call.make(number)));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        }

        @Override
        public void close() {
            pool.shutdownNow();
        }
    }
}
