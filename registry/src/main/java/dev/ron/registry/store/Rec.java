package dev.ron.registry.store;

/** One record of the log: a type and the canonical JSON of an object. */
public final class Rec {
    private final Type type;
    private final byte[] body;

    /** Takes the body over: nobody changes it any more. */
    public Rec(Type type, byte[] body) {
        this.type = type;
        this.body = body;
    }

    public Type type() {
        return type;
    }

    /** The bytes themselves, not a copy. */
    public byte[] body() {
        return body;
    }

    /** What a record holds; the code is on disk and never reused. */
    public enum Type {
        /** A proposal with its payload. */
        PROPOSAL(1),
        /** A signed approval or rejection. */
        APPROVAL(2),
        /** A commit: the entry, and where its proposal and approvals stand. */
        ENTRY(3),
        /** A line of the audit chain about a record beside it. */
        AUDIT(4),
        /** A line of the audit chain that is itself a change: expired, withdrawn, rejected, stale, frozen. */
        CHANGE(5),
        /** What is left of a proposal whose payload was pruned. */
        PRUNED(6);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Type of(int code) throws BadBatch {
            for (Type type : values()) {
                if (type.code == code) {
                    return type;
                }
            }
            throw new BadBatch("record type " + code);
        }
    }
}
