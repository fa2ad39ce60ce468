package dev.ron.ledger.model;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalWriter;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import java.util.Map;

/** One thing the registry holds, as it is after its latest change. */
public record Descriptor(String id, long rev, State state, Draft content) {
    private static final String TAG = "registry.descriptor/v1";

    /** Where a descriptor is in its life. */
    public enum State implements Wire {
        PUBLISHED("published"),
        DEPRECATED("deprecated"),
        /**
         * Gone, but remembered: revisions never restart, so an approval for revision 3 of the old thing can never apply
         * to revision 3 of a new one under the same id.
         */
        REMOVED("removed");

        private final String wire;

        State(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }

    public Descriptor {
        Grammar.ID.require(id);
        Grammar.requireNatural("rev", rev);
    }

    public Descriptor put(Draft draft) {
        return new Descriptor(id, rev + 1, State.PUBLISHED, draft);
    }

    public Descriptor deprecate() {
        return new Descriptor(id, rev + 1, State.DEPRECATED, content);
    }

    /** The tombstone keeps the kind and nothing else. */
    public Descriptor remove() {
        return new Descriptor(id, rev + 1, State.REMOVED, Draft.of(content.kind(), Json.Obj.of(Map.of())));
    }

    public boolean isLive() {
        return state != State.REMOVED;
    }

    public B3 hash() {
        return B3.of(CanonicalWriter.object(out -> {
            out.put("body", content.body());
            content.expiresAtMs().ifPresent(at -> out.put("expires_at_ms", at));
            out.put("id", id).put("kind", content.kind());
            if (!content.labels().isEmpty()) {
                out.put("labels", labels -> content.labels().forEach(labels::put));
            }
            out.put("rev", rev).put("state", state.wire()).put("t", TAG);
        }));
    }

    public static Descriptor fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        String id = fields.string("id");
        long rev = fields.natural("rev");
        State state = fields.one("state", Wire.reader(State.class));
        Draft content = Draft.take(fields);
        return fields.build(() -> new Descriptor(id, rev, state, content));
    }

    public Json.Obj toJson() {
        return content.write(new ObjWriter().put("id", id).put("rev", rev).put("state", state.wire()))
                .end();
    }
}
