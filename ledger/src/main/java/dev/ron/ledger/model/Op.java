package dev.ron.ledger.model;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.json.Quoted;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A change to one descriptor, approved together with the revision it was written against.
 *
 * <p>The expected revision is why an unrelated commit does not void signatures, and why a related one does.
 */
public sealed interface Op {
    int MAX_OPS = 1024;

    String id();

    long expectRev();

    /** Creates the descriptor (expected revision 0) or replaces its content. */
    record Put(String id, long expectRev, Draft draft) implements Op {
        public Put {
            Grammar.ID.require(id);
            Grammar.requireNatural("expect_rev", expectRev);
        }
    }

    /** Keeps the content and warns readers off. */
    record Deprecate(String id, long expectRev) implements Op {
        public Deprecate {
            requireExisting(id, expectRev);
        }
    }

    /** Leaves a tombstone. */
    record Remove(String id, long expectRev) implements Op {
        public Remove {
            requireExisting(id, expectRev);
        }
    }

    private static void requireExisting(String id, long expectRev) {
        Grammar.ID.require(id);
        Grammar.requireNatural("expect_rev", expectRev);
        if (expectRev == 0) {
            throw new IllegalArgumentException("expect_rev 0 means the descriptor does not exist yet");
        }
    }

    /** One operation per id, so that their order means nothing. */
    static List<Op> requireDistinct(List<Op> ops) {
        if (ops.isEmpty() || ops.size() > MAX_OPS) {
            throw new IllegalArgumentException(ops.size() + " operations (expected: 1.." + MAX_OPS + ")");
        }
        Set<String> ids = new HashSet<>();
        for (Op op : ops) {
            if (!ids.add(op.id())) {
                throw new IllegalArgumentException("two operations on " + op.id());
            }
        }
        return List.copyOf(ops);
    }

    static Op fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        String word = fields.string("op");
        String id = fields.string("id");
        long expectRev = fields.natural("expect_rev");
        return switch (word) {
            case "put" -> {
                Draft draft = fields.one("descriptor", Draft::fromJson);
                yield fields.build(() -> new Put(id, expectRev, draft));
            }
            case "deprecate" -> fields.build(() -> new Deprecate(id, expectRev));
            case "remove" -> fields.build(() -> new Remove(id, expectRev));
            default ->
                throw new Refused(
                        Reason.MALFORMED, what + ".op: " + Quoted.of(word) + " (expected: put, deprecate, remove)");
        };
    }

    default Json toJson() {
        ObjWriter out = new ObjWriter().put("id", id()).put("expect_rev", expectRev());
        ObjWriter written = switch (this) {
            case Put put -> out.put("op", "put").put("descriptor", put.draft().toJson());
            case Deprecate _ -> out.put("op", "deprecate");
            case Remove _ -> out.put("op", "remove");
        };
        return written.end();
    }
}
