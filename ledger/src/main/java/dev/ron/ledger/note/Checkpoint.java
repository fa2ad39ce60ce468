package dev.ron.ledger.note;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.Quoted;
import dev.ron.ledger.tree.TreeHash;
import java.util.Arrays;
import java.util.List;

/** What a log says about itself (C2SP tlog-checkpoint): its origin, its size and its root; no extension lines. */
public record Checkpoint(String origin, long size, TreeHash root) {
    public Checkpoint {
        NoteKey.requireName(origin);
        if (size < 0 || size > Json.MAX_INTEGER) {
            throw new IllegalArgumentException("size " + size);
        }
    }

    public static Checkpoint parse(String text) throws Refused {
        String[] lines = text.split("\n", -1);
        if (lines.length != 4 || !lines[3].isEmpty()) {
            throw new Refused(Reason.MALFORMED, "checkpoint: not three lines (origin, size, root)");
        }
        if (!lines[1].matches("0|[1-9][0-9]{0,15}")) {
            throw new Refused(Reason.MALFORMED, "checkpoint: size " + Quoted.of(lines[1]));
        }
        TreeHash root = TreeHash.parse(lines[2], "checkpoint root");
        return Fields.checked("checkpoint", () -> new Checkpoint(lines[0], Long.parseLong(lines[1]), root));
    }

    /** Reads a signed checkpoint that at least one of the keys signed, and that speaks for the expected log. */
    public static Checkpoint open(SignedNote note, String origin, List<NoteKey> known) throws Refused {
        note.verifiedBy(known);
        Checkpoint checkpoint = parse(note.text());
        if (!checkpoint.origin.equals(origin)) {
            throw new Refused(
                    Reason.NOTE_UNVERIFIED,
                    "checkpoint: of log " + Quoted.of(checkpoint.origin) + " (expected: " + Quoted.of(origin) + ")");
        }
        return checkpoint;
    }

    public SignedNote sign(long seconds, NoteSigner... signers) {
        String text = text();
        return new SignedNote(
                text,
                Arrays.stream(signers).map(signer -> signer.sign(text, seconds)).toList());
    }

    public String text() {
        return origin + "\n" + size + "\n" + root + "\n";
    }
}
