package dev.ron.ledger.model;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.note.NoteKey;
import java.util.List;
import java.util.Optional;

/** The part of a change set that differs by kind. */
public sealed interface Body {
    Kind kind();

    /** The head it is bound to; only a plain change is bound by revisions instead. */
    default Optional<Base> base() {
        return Optional.empty();
    }

    /** Single descriptors, each bound to its revision. */
    record Change(List<Op> ops) implements Body {
        public Change {
            ops = Op.requireDistinct(ops);
        }

        @Override
        public Kind kind() {
            return Kind.CHANGE;
        }
    }

    /** The whole set: what is not listed is removed. */
    record ReplaceAll(Base at, List<Item> items) implements Body {
        public ReplaceAll {
            items = Item.requireDistinct(items);
        }

        @Override
        public Kind kind() {
            return Kind.REPLACE_ALL;
        }

        @Override
        public Optional<Base> base() {
            return Optional.of(at);
        }
    }

    /** A new signer set. */
    record Rotate(Base at, SignerSet signerSet) implements Body {
        @Override
        public Kind kind() {
            return Kind.SIGNER_SET;
        }

        @Override
        public Optional<Base> base() {
            return Optional.of(at);
        }
    }

    /** A correction of an earlier version, forward only. */
    record Supersede(Base at, Correction correction, List<Op> ops) implements Body {
        public Supersede {
            ops = Op.requireDistinct(ops);
            Grammar.requireAtMost("supersede of version", correction.of(), at.version());
        }

        @Override
        public Kind kind() {
            return Kind.SUPERSEDE;
        }

        @Override
        public Optional<Base> base() {
            return Optional.of(at);
        }
    }

    /** The first version: who the log is, who may sign for it, what it holds at birth. */
    record Genesis(String origin, List<NoteKey> logKeys, SignerSet signerSet, List<Item> items) implements Body {
        public Genesis {
            Grammar.ORIGIN.require(origin);
            if (logKeys.isEmpty()
                    || logKeys.size() > 8
                    || logKeys.stream().distinct().count() != logKeys.size()) {
                throw new IllegalArgumentException(logKeys.size() + " log keys (expected: 1..8, all different)");
            }
            if (logKeys.stream().noneMatch(key -> key.name().equals(origin) && key.type() == NoteKey.Type.NOTE)) {
                throw new IllegalArgumentException("no log key of type note is named like the origin");
            }
            if (signerSet.setVersion() != 1) {
                throw new IllegalArgumentException("first signer set has version " + signerSet.setVersion());
            }
            logKeys = List.copyOf(logKeys);
            items = Item.requireDistinct(items);
        }

        @Override
        public Kind kind() {
            return Kind.GENESIS;
        }
    }

    static Body take(Kind kind, Fields fields) throws Refused {
        return switch (kind) {
            case CHANGE -> {
                List<Op> ops = fields.list("ops", Op.MAX_OPS, Op::fromJson);
                yield fields.build(() -> new Change(ops));
            }
            case REPLACE_ALL -> {
                Base at = fields.one("base", Base::fromJson);
                List<Item> items = fields.list("items", Item.MAX_ITEMS, Item::fromJson);
                yield fields.build(() -> new ReplaceAll(at, items));
            }
            case SIGNER_SET -> {
                Base at = fields.one("base", Base::fromJson);
                SignerSet signerSet = fields.one("signer_set", SignerSet::fromJson);
                yield fields.build(() -> new Rotate(at, signerSet));
            }
            case SUPERSEDE -> {
                Base at = fields.one("base", Base::fromJson);
                Correction correction = fields.one("supersede", Correction::fromJson);
                List<Op> ops = fields.list("ops", Op.MAX_OPS, Op::fromJson);
                yield fields.build(() -> new Supersede(at, correction, ops));
            }
            case GENESIS -> {
                String origin = fields.string("origin");
                List<NoteKey> logKeys = fields.list("log_vkeys", 8, NoteKey::fromJson);
                SignerSet signerSet = fields.one("signer_set", SignerSet::fromJson);
                List<Item> items = fields.optionalList("items", Item.MAX_ITEMS, Item::fromJson);
                yield fields.build(() -> new Genesis(origin, logKeys, signerSet, items));
            }
        };
    }

    default ObjWriter write(ObjWriter out) {
        base().ifPresent(base -> out.put("base", base.toJson()));
        return switch (this) {
            case Change(var ops) -> out.putAll("ops", ops, Op::toJson);
            case ReplaceAll(var _, var items) -> out.putAll("items", items, Item::toJson);
            case Rotate(var _, var signerSet) -> out.put("signer_set", signerSet.toJson());
            case Supersede(var _, var correction, var ops) ->
                out.put("supersede", correction.toJson()).putAll("ops", ops, Op::toJson);
            case Genesis(var origin, var logKeys, var signerSet, var items) ->
                out.put("origin", origin)
                        .putAll("log_vkeys", logKeys, NoteKey::toJson)
                        .put("signer_set", signerSet.toJson())
                        .putIfAny("items", items, Item::toJson);
        };
    }
}
