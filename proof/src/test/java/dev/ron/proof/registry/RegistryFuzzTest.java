package dev.ron.proof.registry;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.ledger.Refused;
import dev.ron.ledger.bundle.Bundle;
import dev.ron.ledger.bundle.BundleVerifier;
import dev.ron.ledger.bundle.Trust;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.note.Checkpoint;
import dev.ron.ledger.note.NoteKey;
import dev.ron.ledger.note.SignedNote;
import dev.ron.ledger.note.TlogProof;
import dev.ron.ledger.sign.Dsse;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.store.Rec;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.Store;
import dev.ron.registry.wire.Cbor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Hostile bytes into every reader of the registry: a typed refusal, or a value whose text reads back as itself. */
final class RegistryFuzzTest {
    @FunctionalInterface
    private interface Reading {
        void run() throws Refused;
    }

    private static void refusedOrRead(Reading reading) {
        try {
            reading.run();
        } catch (Refused _) {
            // refused, with its cause
        }
    }

    @FuzzTest(maxDuration = "60s")
    void cbor(byte[] bytes) throws Refused {
        Json value;
        try {
            value = Cbor.read(bytes, "fuzz");
        } catch (Refused _) {
            return;
        }
        // From here on a refusal is a find: what was taken is kept as JSON and must be read again.
        check(Cbor.read(Cbor.write(value), "again").equals(value), "not what was written");
        check(StrictJson.RECORD.read(CanonicalJson.bytes(value), "as JSON").equals(value), "another value as JSON");
    }

    @FuzzTest(maxDuration = "60s")
    void json(byte[] bytes) {
        refusedOrRead(() -> {
            byte[] canonical = CanonicalJson.bytes(StrictJson.HASHED.read(bytes, "fuzz"));
            byte[] again = CanonicalJson.bytes(StrictJson.HASHED.read(canonical, "again"));
            check(Arrays.equals(canonical, again), "canonical text is not a fixed point");
        });
    }

    @FuzzTest(maxDuration = "60s")
    void payload(byte[] bytes) {
        refusedOrRead(() -> {
            ChangeSet read = ChangeSet.fromJson(StrictJson.HASHED.read(bytes, "fuzz"), "payload");
            check(ChangeSet.fromJson(read.toJson(), "again").hash().equals(read.hash()), "another hash");
        });
    }

    @FuzzTest(maxDuration = "60s")
    void descriptor(byte[] bytes) {
        refusedOrRead(() -> {
            Descriptor read = Descriptor.fromJson(StrictJson.HASHED.read(bytes, "fuzz"), "descriptor");
            check(Descriptor.fromJson(read.toJson(), "again").hash().equals(read.hash()), "another hash");
        });
    }

    @FuzzTest(maxDuration = "60s")
    void approval(byte[] bytes) {
        refusedOrRead(() -> {
            Approval read = Approval.fromJson(StrictJson.HASHED.read(bytes, "fuzz"), "approval");
            check(Approval.fromJson(read.toJson(), "again").equals(read), "another approval");
            byte[] signed = read.statement().signedBytes();
            check(new String(signed, StandardCharsets.UTF_8).startsWith("DSSEv1 "), "not a DSSE preimage");
        });
    }

    @FuzzTest(maxDuration = "60s")
    void records(byte[] bytes) {
        refusedOrRead(() -> {
            Entry read = Entry.fromJson(StrictJson.HASHED.read(bytes, "fuzz"), "entry");
            check(Entry.fromJson(read.toJson(), "again").equals(read), "another entry");
        });
        refusedOrRead(() -> {
            Proposal read = Proposal.fromJson(StrictJson.RECORD.read(bytes, "fuzz"), "proposal");
            check(Proposal.fromJson(read.toJson(), "again").equals(read), "another proposal");
        });
    }

    // No two pairs of type and payload may have one preimage: lengths say where each ends.
    @FuzzTest(maxDuration = "60s")
    void dsse(byte[] bytes) {
        int cut = bytes.length == 0 ? 0 : Byte.toUnsignedInt(bytes[0]) % bytes.length;
        String type = new String(bytes, 0, cut, StandardCharsets.ISO_8859_1);
        byte[] payload = Arrays.copyOfRange(bytes, cut, bytes.length);
        byte[] one = Dsse.preAuthenticationEncoding(type, payload);
        byte[] other = Dsse.preAuthenticationEncoding(type + "x", payload);
        check(!Arrays.equals(one, other), "two types have one preimage");
    }

    @FuzzTest(maxDuration = "60s")
    void notes(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        refusedOrRead(() -> SignedNote.parse(text));
        refusedOrRead(() -> Checkpoint.parse(text));
        refusedOrRead(() -> NoteKey.parse(text, "vkey"));
        refusedOrRead(() -> TlogProof.parse(text));
    }

    @FuzzTest(maxDuration = "60s")
    void bundle(byte[] bytes) {
        refusedOrRead(() -> Bundle.read(bytes));
        check(new BundleVerifier(Trust.onFirstUse()).verify(bytes) != null, "a verdict, whatever it is");
    }

    /** A segment of any content opens as a log of whole batches, or says where it is damaged. */
    @FuzzTest(maxDuration = "60s")
    void segment(byte[] bytes) throws IOException {
        Path folder = Files.createTempDirectory("fuzz");
        try {
            Path log = Files.createDirectories(folder.resolve("log"));
            Files.write(log.resolve("seg-00000000000000000001.rgl"), bytes);
            try (SegmentStore store = SegmentStore.open(new RealDisk(folder), 1 << 20)) {
                Store.Recovery recovery = store.replay((seq, records) -> check(seq > 0, "a batch without a number"));
                if (recovery.damage().isEmpty()) {
                    store.append(store.next(), List.of(new Rec(Rec.Type.AUDIT, new byte[] {'{', '}'})));
                }
            }
        } finally {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static void check(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }
}
