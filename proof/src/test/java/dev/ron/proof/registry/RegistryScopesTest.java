package dev.ron.proof.registry;

import static dev.ron.proof.registry.RegistryHouse.ORIGIN;
import static dev.ron.proof.registry.RegistryHouse.order;
import static dev.ron.proof.registry.RegistryHouse.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A token lets its holder do what its scope names, and nothing beside it. */
@Timeout(120)
class RegistryScopesTest {
    @TempDir
    static Path folder;

    private static RegistryHouse house;

    @BeforeAll
    static void open() throws Exception {
        house = new RegistryHouse(folder);
    }

    @AfterAll
    static void close() {
        house.close();
    }

    private static HttpResponse<String> with(String token, String method, String path, String body) throws Exception {
        return house.send(house.to(path)
                .setHeader("Authorization", "Bearer " + token)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private static void may(String token, int propose, int approve, int commit) throws Exception {
        ChangeSet payload = put("scope.a", 0);
        String id = house.propose(payload);
        String vote = CanonicalJson.text(house.approval(house.signers.getFirst(), ORIGIN, id, payload, 60_000)
                .toJson());
        assertThat(with(token, "POST", "/registry/proposals", order(put("scope.b", 0)))
                        .statusCode())
                .as("propose")
                .isEqualTo(propose);
        HttpResponse<String> approved = with(token, "POST", "/registry/approvals/" + id, vote);
        assertThat(approved.statusCode()).as("approve").isEqualTo(approve);
        HttpResponse<String> committed = with(token, "POST", "/registry/commit/" + id, "{}");
        assertThat(committed.statusCode()).as("commit").isEqualTo(commit);
        int withdrawn = with(token, "DELETE", "/registry/proposals/" + id, "").statusCode();
        assertThat(withdrawn == 403).as("withdrawing is for who may propose").isEqualTo(propose == 403);
    }

    @Test
    void whoMayProposeMayNeitherApproveNorCommit() throws Exception {
        may(house.token("scope=registry:propose"), 202, 403, 403);
    }

    @Test
    void whoMayApproveMayNeitherProposeNorCommit() throws Exception {
        may(house.token("scope=registry:approve"), 403, 200, 403);
    }

    @Test
    void whoMayCommitMayNeitherProposeNorApproveAndStillNeedsTheQuorum() throws Exception {
        may(house.token("scope=registry:commit"), 403, 403, 422);
    }

    @Test
    void aTokenThatNamesNoScopeMayNothing() throws Exception {
        may(house.token(), 403, 403, 403);
    }

    // a token that names no scope  ->  its holder adds one: that limits it, and lets it do nothing more
    @Test
    void aHolderCannotGiveItselfAScope() throws Exception {
        may(attenuated(house.token(), "registry:propose", "registry:approve", "registry:commit"), 403, 403, 403);
        may(attenuated(house.token("scope=registry:propose"), "registry:propose", "registry:commit"), 202, 403, 403);
        may(attenuated(house.token("scope=registry:propose"), "registry:commit"), 403, 403, 403);
    }

    private static String attenuated(String token, String... scopes) throws Exception {
        return new Attenuator(Signatures.portable(), Caps.DEFAULT)
                .attenuate(
                        token,
                        List.of(new Caveat.Scope(List.of(scopes))),
                        Instant.now().getEpochSecond(),
                        new SecureRandom());
    }

    @Test
    void whoMayNotWriteUsesUpNothingOfTheRateOfWrites(@TempDir Path other) throws Exception {
        try (RegistryHouse slow = new RegistryHouse(other, "registry.limits.rps=5")) {
            HttpRequest nobody = HttpRequest.newBuilder(
                            slow.to("/registry/proposals").build().uri())
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(order(put("rate.a", 0))))
                    .build();
            for (int i = 0; i < 10; i++) {
                assertThat(slow.send(nobody).statusCode()).isEqualTo(401);
            }
            assertThat(slow.post("/registry/proposals", order(put("rate.a", 0))).statusCode())
                    .isEqualTo(202);
        }
    }

    @Test
    void aTokenForAnotherServiceIsNone() throws Exception {
        may(house.token("scope=registry:other"), 403, 403, 403);
    }
}
