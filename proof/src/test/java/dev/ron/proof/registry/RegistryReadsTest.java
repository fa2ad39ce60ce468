package dev.ron.proof.registry;

import static dev.ron.proof.registry.RegistryHouse.ORIGIN;
import static dev.ron.proof.registry.RegistryHouse.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.note.Checkpoint;
import dev.ron.ledger.note.NoteKey;
import dev.ron.ledger.note.SignedNote;
import dev.ron.ledger.tree.EntryBundle;
import dev.ron.ledger.tree.TreeHash;
import dev.ron.registry.wire.Cbor;
import dev.ron.service.bus.BusEvent;
import dev.sigstore.merkle.InclusionProofVerificationException;
import dev.sigstore.merkle.InclusionProofVerifier;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the registry serves to readers, and that others than us can check it. */
@Timeout(120)
class RegistryReadsTest {
    private static final int PUTS = 7;

    @TempDir
    static Path folder;

    private static RegistryHouse house;

    @BeforeAll
    static void open() throws Exception {
        house = new RegistryHouse(folder, "registry.storage.checkpoint_interval=1s");
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < PUTS; i++) {
            ops.add(new Op.Put("svc." + i, 0, draft("service")));
            ops.add(new Op.Put("other." + i, 0, draft("service")));
            ops.add(new Op.Put("svc.q" + i, 0, draft("quota")));
        }
        house.change(ChangeSet.of(new Body.Change(ops)));
        for (int i = 0; i < 4; i++) {
            house.change(put("more." + i, 0));
        }
    }

    @AfterAll
    static void close() {
        house.close();
    }

    private static Draft draft(String kind) {
        return Draft.of(kind, new ObjWriter().put("url", "http://a").end());
    }

    private static Json.Obj json(HttpResponse<byte[]> answer) throws Exception {
        assertThat(answer.statusCode()).isEqualTo(200);
        return (Json.Obj) StrictJson.BUNDLE.read(answer.body(), "answer");
    }

    private static Json member(Json.Obj object, String name) {
        return Objects.requireNonNull(object.members().get(name), name);
    }

    private static String text(Json.Obj object, String name) {
        return ((Json.Str) member(object, name)).value();
    }

    private static long number(Json.Obj object, String name) {
        return ((Json.Int) member(object, name)).value();
    }

    private static List<Json> list(Json.Obj object, String name) {
        return ((Json.Arr) member(object, name)).items();
    }

    @Test
    void descriptorsComePageByPageAndTheLinkAsksTheSameQuestion() throws Exception {
        List<String> ids = new ArrayList<>();
        String next = "?kind=service&prefix=svc.&limit=3";
        while (!next.isEmpty()) {
            HttpResponse<byte[]> page = house.get("/registry/descriptors" + next);
            list(json(page), "items").forEach(item -> ids.add(text((Json.Obj) item, "id")));
            next = page.headers()
                    .firstValue("Link")
                    .map(link -> link.substring(1, link.indexOf('>')))
                    .orElse("");
        }
        assertThat(ids)
                .isEqualTo(IntStream.range(0, PUTS).mapToObj(i -> "svc." + i).toList());
    }

    @Test
    void whoHasSeenTheHeadIsToldThatItIsTheSame() throws Exception {
        HttpResponse<byte[]> head = house.get("/registry/head");
        String tag = head.headers().firstValue("ETag").orElseThrow();
        assertThat(tag).isEqualTo("\"" + text(json(head), "hash") + "\"");
        HttpResponse<byte[]> same = house.get("/registry/head", "If-None-Match", tag);
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.body()).isEmpty();
        assertThat(house.get("/registry/head", "If-None-Match", "\"b3:other\"").statusCode())
                .isEqualTo(200);
    }

    @Test
    void theLogIsAChainFromItsFirstEntryOn() throws Exception {
        List<Json> entries = new ArrayList<>();
        long from = 1;
        while (from > 0) {
            Json.Obj page = json(house.get("/registry/log?limit=2&from=" + from));
            entries.addAll(list(page, "entries"));
            from = page.members().containsKey("next") ? number(page, "next") : 0;
        }
        B3 before = B3.ZERO;
        for (Json entry : entries) {
            assertThat(text((Json.Obj) entry, "prev_hash")).isEqualTo(before.text());
            before = B3.of(CanonicalJson.bytes(entry));
        }
        assertThat(text(json(house.get("/registry/head")), "hash")).isEqualTo(before.text());
    }

    private static Checkpoint checkpoint(String path) throws Exception {
        List<NoteKey> keys = new ArrayList<>();
        for (String line : body("/registry/tlog/vkey").strip().split("\n", -1)) {
            keys.add(NoteKey.parse(line, "vkey"));
        }
        return Checkpoint.open(SignedNote.parse(body(path)), ORIGIN, keys);
    }

    private static String body(String path) throws Exception {
        HttpResponse<byte[]> answer = house.get(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void tilesHoldTheEntriesThatTheCheckpointCovers() throws Exception {
        Checkpoint checkpoint = checkpoint("/registry/tlog/checkpoint");
        long size = checkpoint.size();
        assertThat(body("/registry/checkpoint")).contains("\n" + size + "\n");
        byte[] hashes = house.get("/registry/tlog/tile/0/000.p/" + size).body();
        List<byte[]> entries = EntryBundle.decode(
                house.get("/registry/tlog/tile/entries/000.p/" + size).body());
        assertThat(entries).hasSize((int) size);
        for (int i = 0; i < size; i++) {
            assertThat(TreeHash.leaf(entries.get(i))).isEqualTo(TreeHash.of(hashes, 32 * i));
        }
        assertThat(house.get("/registry/tlog/tile/0/000.p/" + (size + 1)).statusCode())
                .isEqualTo(404);
        assertThat(house.get("/registry/tlog/tile/x/000").statusCode()).isEqualTo(404);
    }

    @Test
    void inclusionProofsPassAVerifierThatOthersWrote() throws Exception {
        Checkpoint checkpoint = checkpoint("/registry/tlog/checkpoint");
        long size = checkpoint.size();
        List<byte[]> entries = EntryBundle.decode(
                house.get("/registry/tlog/tile/entries/000.p/" + size).body());
        for (long version = 1; version <= size; version++) {
            Json.Obj proof = json(house.get("/registry/proof/inclusion?version=" + version + "&tree_size=" + size));
            List<byte[]> path = list(proof, "hashes").stream()
                    .map(hash -> Base64.getDecoder().decode(((Json.Str) hash).value()))
                    .toList();
            byte[] leaf = TreeHash.leaf(entries.get((int) version - 1)).bytes();
            verify(leaf, number(proof, "leaf_index"), size, path, checkpoint);
        }
    }

    private static void verify(byte[] leaf, long index, long size, List<byte[]> path, Checkpoint checkpoint)
            throws InclusionProofVerificationException {
        InclusionProofVerifier.verify(leaf, index, size, path, checkpoint.root().bytes());
    }

    @Test
    void storedCheckpointsAreListedAndServed() throws Exception {
        Eventually.await("a checkpoint is stored", () -> !stored().isEmpty());
        Json.Obj newest = (Json.Obj) stored().getFirst();
        long size = number(newest, "size");
        assertThat(number(newest, "to")).isEqualTo(size);
        assertThat(number(newest, "from")).isBetween(1L, size);
        assertThat(checkpoint("/registry/checkpoints/" + size).size()).isEqualTo(size);
        assertThat(house.get("/registry/checkpoints/99999").statusCode()).isEqualTo(404);
    }

    private static List<Json> stored() {
        try {
            return list(json(house.get("/registry/checkpoints?limit=5")), "items");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aProposalInCborIsTheSameProposal() throws Exception {
        ChangeSet payload = put("cbor.a", 0);
        byte[] order =
                Cbor.write(new ObjWriter().put("payload", payload.toJson()).end());
        HttpRequest request = house.to("/registry/proposals")
                .setHeader("Content-Type", "application/cbor")
                .setHeader("Accept", "application/cbor")
                .POST(HttpRequest.BodyPublishers.ofByteArray(order))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/cbor");
            Json.Obj read = (Json.Obj) Cbor.read(answer.body(), "answer");
            assertThat(text(read, "payload_b3")).isEqualTo(payload.hash().text());
        }
        HttpResponse<byte[]> head = house.get("/registry/head", "Accept", "application/cbor");
        assertThat(text((Json.Obj) Cbor.read(head.body(), "head"), "origin")).isEqualTo(ORIGIN);
    }

    /** What a WebSocket heard. */
    private static final class Ear implements WebSocket.Listener {
        final List<String> texts = new CopyOnWriteArrayList<>();
        final List<Json.Obj> binaries = new CopyOnWriteArrayList<>();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            texts.add(data.toString());
            return WebSocket.Listener.super.onText(socket, data, last);
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            try {
                binaries.add((Json.Obj) Cbor.read(bytes, "message"));
            } catch (dev.ron.ledger.Refused e) {
                throw new AssertionError(e);
            }
            return WebSocket.Listener.super.onBinary(socket, data, last);
        }
    }

    @Test
    void commitsComeOverAWebSocketAsTextOrAsCbor() throws Exception {
        Ear plain = new Ear();
        Ear packed = new Ear();
        try (HttpClient client = HttpClient.newHttpClient()) {
            WebSocket one = listen(client, "", plain);
            WebSocket other = listen(client, "?format=cbor", packed);
            Eventually.await("both have heard of the head", () -> !plain.texts.isEmpty() && !packed.binaries.isEmpty());
            house.change(put("ws.a", 0));
            Eventually.await(
                    "both hear of the commit",
                    () -> plain.texts.stream().anyMatch(text -> text.contains("ws.a"))
                            && packed.binaries.stream()
                                    .anyMatch(message -> text(message, "event").equals("registry.update")
                                            && CanonicalJson.text(message).contains("ws.a")));
            one.abort();
            other.abort();
        }
    }

    private static WebSocket listen(HttpClient client, String query, Ear ear) throws Exception {
        return client.newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + house.port() + "/registry/stream" + query), ear)
                .get(20, TimeUnit.SECONDS);
    }

    @Test
    void everyCommitIsToldOnTheBus() throws Exception {
        try (Subscription<BusEvent> news = house.bus().subscribe("test")) {
            house.change(put("bus.a", 0));
            Json.Obj head = json(house.get("/registry/head"));
            List<BusEvent.RegistryUpdated> told = new ArrayList<>();
            Eventually.await("it is told", () -> {
                news.tryReceive().ifPresent(received -> {
                    if (received instanceof Received.Item<BusEvent>(var _, BusEvent.RegistryUpdated update)) {
                        told.add(update);
                    }
                });
                return !told.isEmpty();
            });
            assertThat(told.getFirst().version()).isEqualTo(number(head, "version"));
            assertThat(told.getFirst().b3()).isEqualTo(text(head, "hash"));
        }
    }

    // a page of proposals | its last one is withdrawn | the next page  ->  it goes on, and does not begin again
    @Test
    void theNextPageOfProposalsIsThereAlsoWhenTheLastOneOfThisPageIsGone() throws Exception {
        for (int i = 0; i < 4; i++) {
            house.propose(put("page." + i, 0));
        }
        Json.Obj page = json(house.get("/registry/proposals?limit=2"));
        List<String> first = list(page, "items").stream()
                .map(item -> text((Json.Obj) item, "proposal_id"))
                .toList();
        assertThat(house.send(house.to("/registry/proposals/" + first.getLast())
                                .DELETE()
                                .build())
                        .statusCode())
                .isEqualTo(200);
        Json.Obj second = json(house.get("/registry/proposals?limit=2&cursor=" + text(page, "next")));
        assertThat(list(second, "items").stream().map(item -> text((Json.Obj) item, "proposal_id")))
                .hasSize(2)
                .doesNotContainAnyElementsOf(first);
    }
}
