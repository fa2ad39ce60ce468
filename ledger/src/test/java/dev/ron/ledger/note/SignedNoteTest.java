package dev.ron.ledger.note;

import static dev.ron.ledger.Refusals.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.sign.Ed25519SigningKey;
import dev.ron.ledger.tree.Tree;
import dev.ron.ledger.tree.TreeHash;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignedNoteTest {
    // The example of the signed-note specification and of its reference implementation.
    private static final String VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    private static final String SEED = "gQoUAtUUbI2E8kQzMPVAgOv5juF9nHT2JS/F1ccoMXM=";
    private static final String TEXT = """
            If you think cryptography is the answer to your problem,
            then you don't know what your problem is.
            """;
    private static final String NOTE = TEXT
            + "\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

    @Test
    void theExampleOfTheSpecificationVerifies() throws Refused {
        NoteKey key = NoteKey.parse(VKEY, "vkey");
        assertThat(key).hasToString(VKEY);
        SignedNote note = SignedNote.parse(NOTE);
        assertThat(note.text()).isEqualTo(TEXT);
        assertThat(note.verifiedBy(List.of(key))).containsExactly(key);
        assertThat(note.render()).isEqualTo(NOTE);
    }

    @Test
    void signingReproducesTheExampleByteForByte() {
        NoteSigner signer = new NoteSigner(
                "PeterNeumann",
                NoteKey.Type.NOTE,
                Ed25519SigningKey.ofSeed(Base64.getDecoder().decode(SEED)));
        assertThat(signer.key()).hasToString(VKEY);
        assertThat(new SignedNote(TEXT, List.of(signer.sign(TEXT, 0))).render()).isEqualTo(NOTE);
    }

    @Test
    void everyOneCharacterChangeOfTheNoteFails() throws Refused {
        List<NoteKey> known = List.of(NoteKey.parse(VKEY, "vkey"));
        for (int i = 0; i < NOTE.length(); i++) {
            String changed = NOTE.substring(0, i) + (char) (NOTE.charAt(i) ^ 1) + NOTE.substring(i + 1);
            assertThatThrownBy(() -> SignedNote.parse(changed).verifiedBy(known))
                    .as("character %d", i)
                    .isInstanceOf(Refused.class);
        }
    }

    @Test
    void everyPieceOfAVerifierKeyIsNeeded() {
        for (int i = 0; i < VKEY.length(); i++) {
            String cut = VKEY.substring(0, i);
            String changed = VKEY.substring(0, i) + (char) (VKEY.charAt(i) + 1) + VKEY.substring(i + 1);
            assertThatThrownBy(() -> NoteKey.parse(cut, "vkey")).isInstanceOf(Refused.class);
            assertThatThrownBy(() -> NoteKey.parse(changed, "vkey")).isInstanceOf(Refused.class);
        }
    }

    @Test
    void anUnknownKeyIsIgnoredAndAWrongKnownKeyRefusesTheNote() throws Refused {
        NoteSigner log = signer("log.example", NoteKey.Type.NOTE, 1);
        NoteSigner witness = signer("witness.example", NoteKey.Type.NOTE, 2);
        SignedNote note = new SignedNote("x\n", List.of(log.sign("x\n", 0), witness.sign("y\n", 0)));
        assertThat(note.verifiedBy(List.of(log.key()))).containsExactly(log.key());
        refuses(() -> note.verifiedBy(List.of(log.key(), witness.key())), Reason.INVALID_SIG, "witness.example");
        refuses(
                () -> note.verifiedBy(
                        List.of(signer("other", NoteKey.Type.NOTE, 3).key())),
                Reason.NOTE_UNVERIFIED,
                "log.example");
        assertThat(note.only(List.of(log.key())).signatures()).hasSize(1);
    }

    @Test
    void aCosignatureCoversItsTime() throws Refused {
        NoteSigner freshness = signer("log.example", NoteKey.Type.TIMESTAMPED, 4);
        SignedNote note =
                SignedNote.parse(new SignedNote("x\n", List.of(freshness.sign("x\n", 1_700_000_000))).render());
        assertThat(note.verifiedBy(List.of(freshness.key()))).containsExactly(freshness.key());
        assertThat(note.signatures().getFirst().seconds()).hasValue(1_700_000_000);
        byte[] blob = Base64.getDecoder().decode(note.signatures().getFirst().blob());
        blob[11] ^= 1;
        SignedNote later = new SignedNote(
                "x\n",
                List.of(new NoteSignature("log.example", Base64.getEncoder().encodeToString(blob))));
        refuses(() -> later.verifiedBy(List.of(freshness.key())), Reason.INVALID_SIG);
        // A plain signature over the same text is no cosignature.
        NoteSigner plain = signer("log.example", NoteKey.Type.NOTE, 4);
        assertThat(plain.key()).isNotEqualTo(freshness.key());
        refuses(
                () -> new SignedNote("x\n", List.of(plain.sign("x\n", 0))).verifiedBy(List.of(freshness.key())),
                Reason.NOTE_UNVERIFIED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "x\n",
                "x\n\n",
                "x\n\n— a b\n",
                "x\n\n— a AAAAAAA=",
                "x\n\n- a AAAAAAA=\n",
                "\u0001\n\n— a AAAAAAA=\n"
            })
    void refusesWhatIsNoNote(String text) {
        assertThatThrownBy(() -> SignedNote.parse(text)).isInstanceOf(Refused.class);
    }

    @Test
    void aCheckpointHasThreeLines() throws Refused {
        Checkpoint checkpoint = new Checkpoint("log.example/ron", 0, TreeHash.EMPTY_ROOT);
        assertThat(checkpoint.text()).isEqualTo("log.example/ron\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n");
        assertThat(Checkpoint.parse(checkpoint.text())).isEqualTo(checkpoint);
        String root = TreeHash.EMPTY_ROOT.toString();
        for (String bad : List.of(
                "a\n00\n" + root + "\n",
                "a\n-1\n" + root + "\n",
                "a\n1\n" + root,
                "a\n1\n" + root + "\nextension\n",
                "\n1\n" + root + "\n",
                "a b\n1\n" + root + "\n",
                "a\n99999999999999999\n" + root + "\n",
                "a\n1\nAAAA\n")) {
            assertThatThrownBy(() -> Checkpoint.parse(bad)).as(bad).isInstanceOf(Refused.class);
        }
    }

    @Test
    void aCheckpointOfAnotherLogIsRefusedEvenIfSignedByOurKey() throws Refused {
        NoteSigner log = signer("ours", NoteKey.Type.NOTE, 1);
        SignedNote note = new Checkpoint("theirs", 0, TreeHash.EMPTY_ROOT).sign(0, log);
        refuses(() -> Checkpoint.open(note, "ours", List.of(log.key())), Reason.NOTE_UNVERIFIED, "theirs");
    }

    @Test
    void aTlogProofFileVerifiesItsLeafAndNoOther() throws Refused {
        NoteSigner log = signer("log.example", NoteKey.Type.NOTE, 1);
        Tree tree = Tree.EMPTY;
        for (int i = 0; i < 5; i++) {
            tree = tree.append(TreeHash.leaf(new byte[] {(byte) i}));
        }
        SignedNote checkpoint = new Checkpoint("log.example", 5, tree.root()).sign(0, log);
        String file = new TlogProof(3, tree.inclusion(3, 5).hashes(), checkpoint).render();
        assertThat(file).startsWith("c2sp.org/tlog-proof@v1\nindex 3\n");
        TlogProof proof = TlogProof.parse(file);
        proof.verify(new byte[] {3}, "log.example", List.of(log.key()));
        refuses(() -> proof.verify(new byte[] {2}, "log.example", List.of(log.key())), Reason.LEAF_MISMATCH);
        assertThatThrownBy(() -> TlogProof.parse(file.replace("index 3", "index 03")))
                .isInstanceOf(Refused.class);
    }

    static NoteSigner signer(String name, NoteKey.Type type, int seed) {
        byte[] bytes = ("seed " + seed).getBytes(StandardCharsets.US_ASCII);
        return new NoteSigner(name, type, Ed25519SigningKey.ofSeed(java.util.Arrays.copyOf(bytes, 32)));
    }
}
