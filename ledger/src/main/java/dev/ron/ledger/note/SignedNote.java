package dev.ron.ledger.note;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.Quoted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** A C2SP signed note: text that ends in a newline, a blank line, signature lines. */
public record SignedNote(String text, List<NoteSignature> signatures) {
    private static final int MAX_CHARS = 64 << 10;
    private static final int MAX_SIGNATURES = 100;

    public SignedNote {
        if (!text.endsWith("\n") || !isPlain(text) || signatures.isEmpty()) {
            throw new IllegalArgumentException("a note is text that ends in a newline, with at least one signature");
        }
        signatures = List.copyOf(signatures);
    }

    /** Reads a note without checking any signature; see {@link #verifiedBy}. */
    public static SignedNote parse(String note) throws Refused {
        if (note.length() > MAX_CHARS) {
            throw new Refused(
                    Reason.OVER_LIMIT, "note: " + note.length() + " characters (expected: at most " + MAX_CHARS + ")");
        }
        if (!isPlain(note)) {
            throw new Refused(Reason.MALFORMED, "note: control character or lone surrogate");
        }
        // The last blank line separates: the text may have blank lines of its own.
        int blank = note.lastIndexOf("\n\n");
        if (blank < 0 || !note.endsWith("\n")) {
            throw new Refused(Reason.MALFORMED, "note: no blank line before the signatures, or no newline at the end");
        }
        List<NoteSignature> signatures = new ArrayList<>();
        for (int at = blank + 2; at < note.length(); ) {
            int end = note.indexOf('\n', at);
            signatures.add(NoteSignature.parse(note.substring(at, end)));
            at = end + 1;
        }
        if (signatures.isEmpty() || signatures.size() > MAX_SIGNATURES) {
            throw new Refused(Reason.MALFORMED, "note: " + signatures.size() + " signatures (expected: 1..100)");
        }
        return new SignedNote(note.substring(0, blank + 1), signatures);
    }

    /**
     * The known keys that signed, at least one.
     *
     * <p>Signatures of unknown keys are ignored, as C2SP asks, so that witnesses can be added without breaking readers; a
     * wrong signature that claims a known key refuses the whole note.
     */
    public List<NoteKey> verifiedBy(Collection<NoteKey> known) throws Refused {
        List<NoteKey> verified = new ArrayList<>();
        for (NoteSignature signature : signatures) {
            for (NoteKey key : known) {
                if (!signature.claims(key)) {
                    continue;
                }
                if (!signature.verify(key, text)) {
                    throw new Refused(Reason.INVALID_SIG, "note: the signature by " + key + " does not match");
                }
                if (!verified.contains(key)) {
                    verified.add(key);
                }
            }
        }
        if (verified.isEmpty()) {
            throw new Refused(
                    Reason.NOTE_UNVERIFIED,
                    "note: signed by " + Quoted.of(signatures.getFirst().name()) + ", by none of the known keys "
                            + known);
        }
        return List.copyOf(verified);
    }

    /** The lines that claim a key, verified or not. */
    public Stream<NoteSignature> signaturesBy(NoteKey key) {
        return signatures.stream().filter(signature -> signature.claims(key));
    }

    /** Drops the lines that claim none of these keys. */
    public SignedNote only(Collection<NoteKey> known) {
        return new SignedNote(
                text,
                signatures.stream()
                        .filter(signature -> known.stream().anyMatch(signature::claims))
                        .toList());
    }

    public String render() {
        StringBuilder out = new StringBuilder(text).append('\n');
        signatures.forEach(signature -> out.append(signature.line()));
        return out.toString();
    }

    private static boolean isPlain(String text) {
        return Json.isWellFormed(text) && text.chars().allMatch(c -> c == '\n' || c >= 0x20);
    }
}
