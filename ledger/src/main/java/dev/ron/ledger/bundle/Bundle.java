package dev.ron.ledger.bundle;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.note.SignedNote;
import dev.ron.ledger.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * One file that proves a commit with no network and no server.
 *
 * <p>It holds the genesis, every rotation of the signer set up to the commit, the commit itself last, each with its place
 * in the tree; the signed checkpoint of that tree; and, where asked for, descriptors with proof that they are current.
 */
public record Bundle(SignedNote checkpoint, List<Step> steps, List<Value> values) {
    private static final String TAG = "registry.bundle/v1";
    private static final int MAX_STEPS = 4096;
    private static final int MAX_VALUES = 1024;

    public Bundle {
        steps = List.copyOf(steps);
        values = List.copyOf(values);
    }

    /**
     * Puts a bundle together.
     *
     * @param checkpoint a signed checkpoint; lines of keys that the genesis does not name must have been dropped
     * @param tree a tree at least as large as the checkpoint
     * @param artifacts in order of version: genesis, rotations, for each value the commit that wrote it, the subject last
     */
    public static Bundle of(SignedNote checkpoint, long size, Tree tree, List<Artifact> artifacts, List<Value> values) {
        return new Bundle(
                checkpoint,
                artifacts.stream()
                        .map(artifact -> new Step(
                                artifact,
                                tree.inclusion(artifact.entry().leafIndex(), size)
                                        .hashes()))
                        .toList(),
                values);
    }

    /** Reads bytes that must be canonical, but for one newline that a shell may have put at the end. */
    public static Bundle read(byte[] bytes) throws Refused {
        boolean newline = bytes.length > 0 && bytes[bytes.length - 1] == '\n';
        byte[] json = newline ? Arrays.copyOf(bytes, bytes.length - 1) : bytes;
        return fromJson(StrictJson.BUNDLE.readCanonical(json, "bundle"));
    }

    private static Bundle fromJson(Json value) throws Refused {
        Fields fields = Fields.of(value, "bundle").tag(TAG);
        SignedNote checkpoint = fields.one("checkpoint", (text, what) -> SignedNote.parse(Fields.string(text, what)));
        List<Step> steps = fields.list("steps", MAX_STEPS, Step::fromJson);
        List<Value> values = fields.optionalList("values", MAX_VALUES, Value::fromJson);
        Bundle bundle = fields.build(() -> new Bundle(checkpoint, steps, values));
        // What is verified below is the model; nothing in the file may lie outside it.
        if (!bundle.toJson().equals(value)) {
            throw new Refused(Reason.NOT_CANONICAL, "bundle: an optional member is present but empty");
        }
        return bundle;
    }

    public Json.Obj toJson() {
        return new ObjWriter()
                .put("t", TAG)
                .put("checkpoint", checkpoint.render())
                .putAll("steps", steps, Step::toJson)
                .putIfAny("values", values, Value::toJson)
                .end();
    }

    /** The file: canonical JSON and a newline. */
    public byte[] bytes() {
        return (CanonicalJson.text(toJson()) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
