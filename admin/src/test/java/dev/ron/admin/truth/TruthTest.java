package dev.ron.admin.truth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.admin.truth.Verdict.State;
import dev.ron.admin.view.Cause;
import dev.ron.kernel.testkit.GoldenFile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TruthTest {
    private static final Answer VERSION = said("/version", 200, "{\"version\":\"1.2.3\",\"git_sha\":\"abc\"}");

    static Answer said(String path, int status, String body) {
        return new Answer.Said(path, status, 3, "application/json", body);
    }

    static Answer failed(String path, Fault fault) {
        return new Answer.Failed(path, fault, fault.words(), 3000);
    }

    private static Verdict judge(Answer health, Answer ready, Answer status) {
        return Truth.of(new Round(health, ready, status, VERSION, Instant.EPOCH, 0), 0, 30);
    }

    private static Answer of(Map<String, Answer> answers, String name) {
        return java.util.Objects.requireNonNull(answers.get(name));
    }

    private static Map<String, Answer> healths() {
        Map<String, Answer> all = new LinkedHashMap<>();
        all.put("ok", said("/healthz", 200, "{\"ok\":true}"));
        all.put("503", said("/healthz", 503, "{\"ok\":false}"));
        all.put("says no", said("/healthz", 200, "{\"ok\":false}"));
        all.put("absent", said("/healthz", 404, ""));
        all.put("timeout", failed("/healthz", Fault.TIMEOUT));
        return all;
    }

    private static Map<String, Answer> readies() {
        Map<String, Answer> all = new LinkedHashMap<>();
        all.put(
                "ready",
                said("/readyz", 200, "{\"ready\":true,\"write_ready\":true,\"degraded\":false,\"missing\":[]}"));
        all.put(
                "degraded",
                said(
                        "/readyz",
                        200,
                        "{\"ready\":true,\"write_ready\":false,\"degraded\":true,\"missing\":[\"kms\"],\"causes\":{\"kms\":\"breaker open\"}}"));
        all.put("not ready", said("/readyz", 503, "{\"ready\":false,\"missing\":[\"dep:db\"],\"phase\":\"running\"}"));
        all.put("503 that says ready", said("/readyz", 503, "{\"ready\":true}"));
        all.put("200 that says not", said("/readyz", 200, "{\"ready\":false}"));
        all.put("forced", said("/readyz", 200, "{\"ready\":true,\"mode\":\"dev-forced\"}"));
        all.put("text ok", said("/readyz", 200, "OK\n"));
        all.put("text other", said("/readyz", 200, "warming up"));
        all.put("list", said("/readyz", 200, "{\"ready\":true,\"degraded\":[\"cache\"]}"));
        all.put("absent", said("/readyz", 404, ""));
        all.put("timeout", failed("/readyz", Fault.TIMEOUT));
        return all;
    }

    private static Map<String, Answer> statuses() {
        Map<String, Answer> all = new LinkedHashMap<>();
        all.put("healthy", said("/api/v1/status", 200, status(true, "running", "healthy")));
        all.put("plane degraded", said("/api/v1/status", 200, status(true, "running", "degraded")));
        all.put("plane down", said("/api/v1/status", 200, status(true, "running", "down")));
        all.put("plane odd", said("/api/v1/status", 200, status(true, "running", "purple")));
        all.put("not ready", said("/api/v1/status", 200, status(false, "running", "healthy")));
        all.put("draining", said("/api/v1/status", 200, status(true, "draining", "healthy")));
        all.put("absent", said("/api/v1/status", 404, ""));
        all.put("garbage", said("/api/v1/status", 200, "<html>"));
        all.put("500", said("/api/v1/status", 500, ""));
        all.put("timeout", failed("/api/v1/status", Fault.TIMEOUT));
        return all;
    }

    private static String status(boolean ready, String phase, String health) {
        return "{\"ready\":" + ready + ",\"phase\":\"" + phase + "\",\"uptimeSeconds\":5,\"capabilities\":[\"reload\"],"
                + "\"planes\":[{\"name\":\"gateway\",\"health\":\"" + health
                + "\",\"ready\":true,\"restart_count\":2,\"notes\":\"n\"}]}";
    }

    /** Every answer of each endpoint with every answer of the others: 550 rows that a person can read and review. */
    @Test
    @Tag("golden")
    void theWholeMatrixIsOnRecord() {
        StringBuilder page = new StringBuilder("""
                # The truth about a node

                Generated from code; `./ron docs` writes it anew.

                What the console shows of a node is a function of one round of answers and of their age, and of nothing else: no
                memory, no guess. The states have an order, worst first; each answer alone allows a best state, and what is shown
                is never better than the worst of these. Whatever is not `ready` has a cause, and a cause is a sentence.

                | state, worst first | colour | colour of a prod node |
                | --- | --- | --- |
                """);
        for (State state : State.values()) {
            page.append("| %s | %s | %s |%n".formatted(state.word(), state.tone(false), state.tone(true)));
        }
        page.append("""

                ## Every sentence

                `%1`, `%2` and `%3` stand for what the node said: a path, a part, its own words. The pages have them in Spanish too.

                | cause | sentence |
                | --- | --- |
                """);
        new TreeMap<>(Causes.sentences()).forEach((key, text) -> page.append("| `%s` | %s |%n".formatted(key, text)));
        page.append("""

                ## Every combination

                What the three endpoints answer, and what comes of it.

                | /healthz | /readyz | /api/v1/status | state | colour | ready | causes |
                | --- | --- | --- | --- | --- | --- | --- |
                """);
        healths()
                .forEach((h, health) -> readies()
                        .forEach((r, ready) -> statuses().forEach((s, status) -> {
                            Verdict verdict = judge(health, ready, status);
                            page.append("| ")
                                    .append(h)
                                    .append(" | ")
                                    .append(r)
                                    .append(" | ")
                                    .append(s)
                                    .append(" | ");
                            page.append(verdict.state().word())
                                    .append(" | ")
                                    .append(verdict.state().tone(false))
                                    .append(" | ")
                                    .append(verdict.ready())
                                    .append(" | ");
                            page.append(String.join(
                                            "; ",
                                            verdict.causes().stream()
                                                    .map(Cause::text)
                                                    .toList()))
                                    .append(" |\n");
                        })));
        GoldenFile.of("design/admin-truth.md").matches(page.toString());
    }

    /** The claim of the console itself, for every row: not greener than the worst answer, and every colour has a cause. */
    @Test
    void noRowIsGreenerThanItsWorstAnswer() {
        healths()
                .forEach((h, health) -> readies()
                        .forEach((r, ready) -> statuses().forEach((s, status) -> {
                            Verdict verdict = judge(health, ready, status);
                            String row = h + " / " + r + " / " + s + " -> " + verdict.state();
                            State worst = worst(h, r, s);
                            assertThat(verdict.state()).as(row).isLessThanOrEqualTo(worst);
                            if (verdict.state() != State.READY) {
                                assertThat(verdict.causes()).as(row).isNotEmpty();
                            }
                            if (verdict.state() == State.READY) {
                                assertThat(verdict.ready()).as(row).isTrue();
                            }
                            if (!Boolean.TRUE.equals(verdict.ready())) {
                                assertThat(verdict.planes()).as(row).noneMatch(plane -> plane.ready());
                            }
                        })));
    }

    /** The best state that one answer alone still allows. */
    private static State worst(String h, String r, String s) {
        List<State> bounds = new ArrayList<>();
        bounds.add(
                switch (h) {
                    case "503", "says no" -> State.DOWN;
                    case "timeout" -> State.DEGRADED;
                    default -> State.READY;
                });
        bounds.add(
                switch (r) {
                    case "degraded", "list" -> State.DEGRADED;
                    case "not ready", "503 that says ready", "200 that says not", "forced", "text other" ->
                        State.NOT_READY;
                    case "timeout" -> State.UNKNOWN;
                    default -> State.READY;
                });
        bounds.add(
                switch (s) {
                    case "plane degraded", "plane odd", "garbage", "500", "timeout" -> State.DEGRADED;
                    case "plane down", "not ready" -> State.NOT_READY;
                    case "draining" -> State.DRAINING;
                    default -> State.READY;
                });
        return bounds.stream().min(Enum::compareTo).orElseThrow();
    }

    @Test
    void nobodyAnsweredIsUnreachable() {
        Verdict verdict = judge(
                failed("/healthz", Fault.CONNECT),
                new Answer.NotAsked("/readyz"),
                new Answer.NotAsked("/api/v1/status"));
        // The version in this round is an old one; a fresh round has none.
        Round round = new Round(
                failed("/healthz", Fault.CONNECT),
                new Answer.NotAsked("/readyz"),
                new Answer.NotAsked("/api/v1/status"),
                new Answer.NotAsked("/version"),
                Instant.EPOCH,
                0);
        assertThat(Truth.of(round, 0, 30).state()).isEqualTo(State.UNREACHABLE);
        assertThat(Truth.of(round, 0, 30).causes().getFirst().text()).contains("connection refused");
        assertThat(verdict.ready()).isNotEqualTo(true);
    }

    @Test
    void anOldRoundIsStaleWhateverItSaid() {
        Round good = new Round(
                of(healths(), "ok"), of(readies(), "ready"), of(statuses(), "healthy"), VERSION, Instant.EPOCH, 0);
        assertThat(Truth.of(good, 29, 30).state()).isEqualTo(State.READY);
        Verdict old = Truth.of(good, 31, 30);
        assertThat(old.state()).isEqualTo(State.STALE);
        assertThat(old.ready()).isNull();
    }

    @Test
    void aGatewayWhoseUpstreamIsSilentIsAmberWhateverItSaysOfItself() {
        String status = """
                {"ready":true,"phase":"running","planes":[{"name":"gateway","health":"healthy","ready":true},
                 {"name":"edge","health":"healthy","ready":true}],"service_data":{"gateway":{"upstreams":[
                 {"id":"demo","targets":[{"healthy":true},{"healthy":false}]},
                 {"id":"demo-slow","targets":[{"healthy":false},{"healthy":true,"ejected":true}]},
                 {"id":"mute","targets":[]}]}}}""";
        Verdict verdict = judge(of(healths(), "ok"), of(readies(), "ready"), said("/api/v1/status", 200, status));
        assertThat(verdict.state()).isEqualTo(State.DEGRADED);
        assertThat(verdict.causes())
                .extracting(cause -> cause.text())
                .containsExactly("no target of upstream demo-slow answers");
        assertThat(verdict.planes()).extracting(plane -> plane.health()).containsExactly("degraded", "ok");
    }

    @Test
    void whatANodeSaysIsCutAndCleaned() {
        String hostile = "x".repeat(5000) + "\u202e\u0007";
        Verdict verdict = judge(
                of(healths(), "ok"),
                of(readies(), "ready"),
                said(
                        "/api/v1/status",
                        200,
                        "{\"version\":\"" + hostile.replace("\u0007", "\\u0007")
                                + "\",\"service_data\":{\"gateway\":{\"secret\":\"s3cret\",\"drr\":{\"a\":1}},\"evil\":{\"x\":1}}}"));
        assertThat(verdict.said().version()).hasSizeLessThanOrEqualTo(512).doesNotContain("\u202e");
        assertThat(verdict.said().serviceData()).containsOnlyKeys("gateway");
        assertThat(verdict.said().serviceData().toString()).doesNotContain("s3cret");
    }

    /** However the rest looks: a node that says it is not ready is never shown as ready. */
    @Property(tries = 500)
    void notReadyAnywhereIsNeverReady(
            @ForAll("documents") String ready, @ForAll("documents") String status, @ForAll boolean inReadyz) {
        String no = inReadyz ? ready.replace("\"ready\":true", "\"ready\":false") : ready;
        String other = inReadyz ? status : status.replace("\"ready\":true", "\"ready\":false");
        Verdict verdict = judge(of(healths(), "ok"), said("/readyz", 200, no), said("/api/v1/status", 200, other));
        if (no.contains("\"ready\":false") || other.contains("\"ready\":false")) {
            assertThat(verdict.ready()).isNotEqualTo(true);
            assertThat(verdict.state()).isNotEqualTo(State.READY);
        }
    }

    @Provide
    Arbitrary<String> documents() {
        Arbitrary<String> member = Arbitraries.of(
                "\"ready\":true",
                "\"write_ready\":true",
                "\"phase\":\"running\"",
                "\"unknown\":{\"deep\":[1,2,{\"x\":null}]}",
                "\"planes\":[]",
                "\"planes\":\"odd\"",
                "\"degraded\":false",
                "\"missing\":7",
                "\"mode\":\"truthful\"");
        return Combinators.combine(member.set().ofMaxSize(6), Arbitraries.of("", "\"ready\":true"))
                .as((members, first) -> {
                    List<String> all = new ArrayList<>(members);
                    all.removeIf(each -> each.startsWith("\"ready\""));
                    all.removeIf(each -> each.startsWith("\"planes\"") && all.indexOf(each) > 0);
                    all.addFirst(first.isEmpty() ? "\"ready\":true" : first);
                    return "{" + String.join(",", all) + "}";
                });
    }
}
