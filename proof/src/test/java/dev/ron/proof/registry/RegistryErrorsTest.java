package dev.ron.proof.registry;

import static dev.ron.proof.registry.RegistryHouse.ORIGIN;
import static dev.ron.proof.registry.RegistryHouse.order;
import static dev.ron.proof.registry.RegistryHouse.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Base;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Correction;
import dev.ron.ledger.model.Op;
import dev.ron.registry.keys.SignerKey;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a request is said as a status and a stable word, and leaves no trace in the log. */
@Timeout(120)
class RegistryErrorsTest {
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

    private static void refused(HttpResponse<String> answer, int status, String reason) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains("\"" + reason + "\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"payload\":                 | 400 | malformed",
                "[]                            | 400 | malformed",
                "{\"payload\":1.5}             | 400 | malformed",
                "{\"payload\":1e3}             | 400 | malformed",
                "{\"payload\":null}            | 400 | malformed",
                "{\"payload\":1,\"payload\":2} | 400 | malformed",
                "{\"payload\":{},\"other\":1}  | 400 | malformed",
            })
    void aBodyThatTwoReadersCouldReadDifferentlyIsRefused(String body, int status, String reason) throws Exception {
        refused(house.post("/registry/proposals", body), status, reason);
    }

    @ParameterizedTest
    @CsvSource({
        "a1, 400", // a map without its pair
        "a1677061796c6f6164f93c00, 400", // {"payload": 1.0}
        "a2616101616102, 400", // a key twice
        "bf616101ff, 400", // without a length
        "9b7fffffffffffffff, 400", // longer than anything
        "ff, 400",
    })
    void malformedCborIsRefused(String hex, int status) throws Exception {
        HttpRequest request = house.to("/registry/proposals")
                .setHeader("Content-Type", "application/cbor")
                .POST(HttpRequest.BodyPublishers.ofByteArray(HexFormat.of().parseHex(hex)))
                .build();
        assertThat(house.send(request).statusCode()).isEqualTo(status);
    }

    @Test
    void whatIsTooLargeOrOfAnotherKindIsRefused() throws Exception {
        String large = "{\"a\":\"" + "x".repeat(3 << 20) + "\"}";
        assertThat(house.post("/registry/proposals", large).statusCode()).isEqualTo(413);
        HttpRequest text = house.to("/registry/proposals")
                .setHeader("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        refused(house.send(text), 415, "media_type");
        HttpRequest nobody = house.to("/registry/proposals")
                .setHeader("Authorization", "Bearer nonsense")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertThat(house.send(nobody).statusCode()).isEqualTo(401);
    }

    @Test
    void aSmallTextThatStandsForVeryManyValuesIsRefused() throws Exception {
        int many = 200_000;
        refused(house.post("/registry/proposals", "{\"payload\":[" + "{},".repeat(many) + "1]}"), 413, "over_limit");
        byte[] cbor = new byte[many + 5];
        cbor[0] = (byte) 0x9a; // an array of many empty maps
        ByteBuffer.wrap(cbor, 1, 4).putInt(many);
        Arrays.fill(cbor, 5, cbor.length, (byte) 0xa0);
        HttpRequest request = house.to("/registry/proposals")
                .setHeader("Content-Type", "application/cbor")
                .POST(HttpRequest.BodyPublishers.ofByteArray(cbor))
                .build();
        refused(house.send(request), 413, "over_limit");
    }

    @Test
    void anApprovalCountsOnlyForWhatItWasSignedFor() throws Exception {
        ChangeSet payload = put("approval.a", 0);
        ChangeSet other = put("approval.b", 0);
        String id = house.propose(payload);
        String otherId = house.propose(other);
        SignerKey signer = house.signers.getFirst();
        SignerKey stranger = SignerKey.generate("org:x#x", false, new SecureRandom());
        Approval good = house.approval(signer, ORIGIN, id, payload, 60_000);

        refused(house.approve(id, house.approval(stranger, ORIGIN, id, payload, 60_000)), 422, "unknown_signer");
        refused(
                house.approve(id, house.approval(signer, "other.example/log", id, payload, 1)),
                422,
                "foreign_approval");
        refused(house.approve(otherId, good), 422, "foreign_approval");
        refused(house.approve(id, house.approval(signer, ORIGIN, id, other, 60_000)), 422, "payload_hash_mismatch");
        refused(house.approve(id, house.approval(signer, ORIGIN, id, payload, -500)), 410, "expired");
        Approval forged = new Approval(
                good.statement(),
                house.approval(signer, ORIGIN, otherId, other, 60_000).signatures());
        refused(house.approve(id, forged), 422, "invalid_sig");
        refused(
                house.post("/registry/approvals/p_" + "a".repeat(26), CanonicalJson.text(good.toJson())),
                404,
                "not_found");

        assertThat(house.approve(id, good).body()).contains("accepted");
        assertThat(house.approve(id, good).body()).contains("already_recorded");
        refused(house.approve(id, house.approval(signer, ORIGIN, id, payload, 90_000)), 409, "duplicate_approval");
        refused(house.post("/registry/commit/" + id, "{}"), 422, "quorum_failed");
    }

    @Test
    void aChangeAgainstAnotherStateIsRefused() throws Exception {
        house.change(put("stale.a", 0));
        refused(house.post("/registry/proposals", order(put("stale.a", 0))), 409, "stale_precondition");
        ChangeSet based = ChangeSet.of(new Body.Supersede(
                new Base(1, put("x", 0).hash()),
                new Correction(1, Correction.Cause.OTHER, "why"),
                List.of(new Op.Remove("stale.a", 1))));
        refused(house.post("/registry/proposals", order(based)), 409, "chain_mismatch");
        String id = house.propose(put("stale.b", 0));
        HttpRequest otherHead = house.to("/registry/commit/" + id)
                .header("If-Match", "\"b3:" + "0".repeat(64) + "\"")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        refused(house.send(otherHead), 412, "precondition_failed");
        refused(house.post("/registry/commit/p_" + "b".repeat(26), "{}"), 404, "not_found");
    }

    @Test
    void anIdempotencyKeyStandsForOneProposal() throws Exception {
        HttpResponse<String> first = keyed("key-1", put("keyed.a", 0));
        assertThat(first.statusCode()).isEqualTo(202);
        HttpResponse<String> again = keyed("key-1", put("keyed.a", 0));
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.headers().firstValue("Location"))
                .isEqualTo(first.headers().firstValue("Location"));
        refused(keyed("key-1", put("keyed.b", 0)), 422, "idempotency_mismatch");
        String id = RegistryHouse.text(first.body(), "proposal_id");
        house.send(house.to("/registry/proposals/" + id).DELETE().build());
        refused(keyed("key-1", put("keyed.b", 0)), 422, "idempotency_mismatch");
        assertThat(keyed("key-2", put("keyed.a", 0)).statusCode()).isEqualTo(202);
        refused(keyed("k".repeat(201), put("keyed.a", 0)), 400, "idempotency_key");
    }

    // the first 202 is lost | another commit moves on what the proposal was written against | the caller asks again
    @Test
    void aRepeatIsAnsweredAlsoWhenTheLogHasMovedOn() throws Exception {
        ChangeSet payload = put("repeat.a", 0);
        assertThat(keyed("repeat-1", payload).statusCode()).isEqualTo(202);
        house.change(put("repeat.a", 0));
        HttpResponse<String> again = keyed("repeat-1", payload);
        assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
        assertThat(again.body()).contains("\"state\":\"pending\"");

        HttpResponse<String> head = house.send(house.to("/registry/head").GET().build());
        long version = Long.parseLong(head.body().replaceAll(".*\"version\":(\\d+).*", "$1"));
        ChangeSet based = ChangeSet.of(new Body.Supersede(
                new Base(version, B3.parse(RegistryHouse.text(head.body(), "hash"), "hash")),
                new Correction(version, Correction.Cause.OTHER, "why"),
                List.of(new Op.Remove("repeat.a", 1))));
        HttpResponse<String> first = keyed("repeat-2", based);
        assertThat(first.statusCode()).as(first.body()).isEqualTo(202);
        String id = RegistryHouse.text(first.body(), "proposal_id");
        house.send(house.to("/registry/proposals/" + id).DELETE().build());
        house.change(put("repeat.b", 0));
        HttpResponse<String> closed = keyed("repeat-2", based);
        assertThat(closed.statusCode()).as(closed.body()).isEqualTo(200);
        assertThat(closed.body()).contains("\"state\":\"withdrawn\"");
    }

    private static HttpResponse<String> keyed(String key, ChangeSet payload) throws Exception {
        return house.send(house.to("/registry/proposals")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(order(payload)))
                .build());
    }

    @Test
    void aValueIsProvedOnceInABundle() throws Exception {
        house.change(put("bundled.a", 0));
        String bundle = "/registry/bundle/head?id=bundled.a";
        assertThat(house.send(house.to(bundle).GET().build()).statusCode()).isEqualTo(200);
        refused(house.send(house.to(bundle + "&id=bundled.a").GET().build()), 400, "query");
    }

    // wait for a newer head | commit   ->  the answer comes with the commit, not when the wait is over
    @Test
    void whoWaitsForTheHeadHearsOfACommit() throws Exception {
        house.change(put("waited.a", 0));
        String head = house.send(house.to("/registry/head").GET().build()).body();
        long version = Long.parseLong(head.replaceAll(".*\"version\":(\\d+).*", "$1"));
        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return house.send(house.to("/registry/head?wait=30&after=" + version)
                                .GET()
                                .build())
                        .body();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        house.change(put("waited.b", 0));
        assertThat(waiting.get(20, TimeUnit.SECONDS)).contains("\"version\":" + (version + 1));
    }
}
