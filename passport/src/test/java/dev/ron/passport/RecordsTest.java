package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.json.StrictJson;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.passport.OfficeProcess.Answer;
import dev.ron.passport.audit.AuditFile;
import dev.ron.service.status.Health;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done once and put on record: idempotency keys and the audit file. */
class RecordsTest {
    private static final String ORDER = "{\"subject_ref\":\"ann\",\"audience\":\"svc-demo\"}";

    @TempDir
    Path folder;

    private static Answer issue(OfficeProcess office, String key, String body) {
        return office.send(HttpRequest.newBuilder(URI.create(office.url("/v1/passport/issue")))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + office.key())
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    // 40 equal requests at once  ->  one token; whoever comes too early is told so, nobody gets a second one
    @Test
    void oneKeyIssuesOneTokenHoweverOftenItIsSent() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory();
                Crew crew = new Crew()) {
            Set<String> tokens = ConcurrentHashMap.newKeySet();
            AtomicInteger early = new AtomicInteger();
            for (int i = 0; i < 40; i++) {
                crew.addVirtual(() -> {
                    Answer answer = issue(office, "k1", ORDER);
                    if (answer.status() == 200) {
                        tokens.add(answer.body().path("token").asString());
                    } else {
                        assertThat(answer.reason()).isEqualTo("idempotency_in_progress");
                        early.incrementAndGet();
                    }
                });
            }
            crew.go();
            crew.finish();
            assertThat(tokens).hasSize(1);
            Answer again = issue(office, "k1", ORDER);
            assertThat(tokens).contains(again.body().path("token").asString());
            Answer other = issue(office, "k1", ORDER.replace("ann", "bob"));
            assertThat(other.status()).isEqualTo(409);
            assertThat(other.reason()).isEqualTo("idempotency_conflict");
            Answer fresh = issue(office, "k2", ORDER);
            assertThat(tokens).doesNotContain(fresh.body().path("token").asString());
            assertThat(issue(office, "k3", ORDER.replace("svc-demo", "svc-nope"))
                            .status())
                    .isEqualTo(400);
            assertThat(issue(office, "k3", ORDER).status())
                    .as("what failed may be tried again")
                    .isEqualTo(200);
            assertThat(issue(office, "", ORDER).status()).isEqualTo(400);
        }
    }

    @Test
    void anOperationIdMakesARevocationRepeatable() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            String move = "{\"epoch\":7,\"op_id\":\"0190f3a2-0000-7000-8000-000000000001\"}";
            Answer first = office.post("/v1/passport/revoke", move);
            Answer second = office.post("/v1/passport/revoke", move);
            assertThat(first.status()).isEqualTo(200);
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(office.post("/v1/passport/revoke", "{\"epoch\":7}").reason())
                    .isEqualTo("epoch_not_greater");
        }
    }

    // one token can be shown for ever with new operation ids  ->  none of them takes a place from those with a right
    @Test
    void nothingIsRememberedOfAHolderThatEndsWhatItHolds() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            String token = office.issue();
            String end = "{\"token\":\"" + token + "\",\"op_id\":\"one\",\"reason\":\"logout\"}";
            assertThat(office.post("/v1/passport/revoke", end, token).status()).isEqualTo(200);
            assertThat(office.post("/v1/passport/revoke", end.replace("logout", "other"), token)
                            .status())
                    .as("no earlier body to differ from")
                    .isEqualTo(200);
        }
    }

    @Test
    void whatIsIssuedAndRevokedIsOnRecordWithoutAnythingSecret() throws Exception {
        String token;
        Answer issued;
        try (OfficeProcess office = OfficeProcess.in(folder)) {
            issued = office.tryIssue("\"caveats\":[\"path=/very/private/\"]");
            token = issued.body().path("token").asString();
            office.post("/v1/passport/revoke", "{\"token\":\"" + token + "\"}", token);
            office.post("/v1/passport/revoke", "{\"subject_ref\":\"ann\"}");
            Eventually.await("three lines", () -> lines() == 3);
        }
        Path file = folder.resolve("audit.log");
        assertThat(AuditFile.verify(file)).isEqualTo(3);
        assertThat(Files.readString(file))
                .contains(
                        "\"action\":\"issue\"",
                        issued.body().path("jti").asString(),
                        "\"who\":\"bootstrap\"",
                        "\"who\":\"holder\"",
                        "\"action\":\"revoke\"")
                .doesNotContain("private", "ann", token.substring(token.lastIndexOf('~') + 2), "eyJ");
    }

    // whose tenant an id is of is not for the caller to say: a floor raised in its place must not be that tenant's
    @Test
    void aBareIdIsOfNoTenantWhateverTheCallerSays() throws Exception {
        try (OfficeProcess office = OfficeProcess.in(folder)) {
            office.post("/v1/passport/revoke", "{\"jti\":\"some\",\"tenant\":\"acme\"}");
            Eventually.await("its line", () -> lines() == 1);
        }
        assertThat(Files.readString(folder.resolve("audit.log"))).contains("\"tid\":\"\"");
    }

    private long lines() {
        try {
            return Files.readString(folder.resolve("audit.log")).lines().count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whereTheRecordIsRequiredNothingIsIssuedWithoutIt() throws Exception {
        // In RAM there is no file, so nothing can be put on record.
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            assertThat(office.tryIssue().status()).isEqualTo(200);
            office.reload("passport.audit.required=true");
            Eventually.await("the rule", () -> office.tryIssue().reason().equals("audit_unavailable"));
            Answer refused = office.tryIssue();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.raw().headers().firstValue("retry-after")).isPresent();
        }
    }

    // the file cannot be opened for a while | more is issued  ->  it is kept, told, and written once it can be, in
    // order
    @Test
    void whatCannotBeWrittenIsKeptAndWrittenLater() throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        Path away = folder.resolve("away");
        try (OfficeProcess office = OfficeProcess.in(data, "passport.audit.max_file_bytes=64KiB")) {
            Files.move(data, away);
            int issued = 0;
            while (health(office) == Health.HEALTHY && issued < 2_000) {
                office.issue();
                issued++;
            }
            for (int i = 0; i < 5; i++) {
                office.issue();
                issued++;
            }
            Eventually.await("a second attempt", () -> failures(office) >= 2);
            assertThat(health(office)).isEqualTo(Health.DEGRADED);
            assertThat(office.get("/readyz/write").status())
                    .as("the record is not required")
                    .isEqualTo(200);
            office.reload("passport.audit.required=true");
            assertThat(office.get("/readyz/write").status()).isEqualTo(503);
            assertThat(office.tryIssue().reason()).isEqualTo("audit_unavailable");

            Files.move(away, data);
            Eventually.await("all is well again", () -> health(office) == Health.HEALTHY);
            office.issue();
            int all = issued + 1;
            Eventually.await("every line", () -> recorded(data) == all);
            assertThat(office.get("/readyz/write").status()).isEqualTo(200);
        }
        for (Path file : List.of(data.resolve("audit.log.1"), data.resolve("audit.log"))) {
            AuditFile.verify(file);
        }
    }

    private static Health health(OfficeProcess office) {
        return office.service().planes().getFirst().health();
    }

    private static double failures(OfficeProcess office) {
        String text = new String(office.frame().metrics().scrape("").body(), StandardCharsets.UTF_8);
        return text.lines()
                .filter(line -> line.startsWith("svc_passport_audit_failures_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** The number of the last line, whichever file it is in. */
    private static long recorded(Path data) {
        try {
            String text = Files.readString(data.resolve("audit.log"));
            if (text.isEmpty()) {
                text = Files.readString(data.resolve("audit.log.1"));
            }
            String last = text.lines().reduce((_, line) -> line).orElse("");
            return new StrictJson()
                    .tree(last.getBytes(StandardCharsets.UTF_8))
                    .path("seq")
                    .asLong();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
