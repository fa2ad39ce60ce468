package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.passport.OfficeProcess.Answer;
import dev.ron.passport.audit.AuditFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
