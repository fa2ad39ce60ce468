package dev.ron.node.cli;

import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a change set does, in lines a person reads before signing.
 *
 * <p>Members are compared as they are written, each one that there is: what is not shown could not be refused.
 */
final class ChangeText {
    private final Present present;
    private final SignerSet signers;
    private final List<String> lines = new ArrayList<>();

    /** What the registry holds now. */
    interface Present {
        Optional<Descriptor> descriptor(String id);

        /** The ids of all that is not removed. */
        List<String> ids();
    }

    ChangeText(Present present, SignerSet signers) {
        this.present = present;
        this.signers = signers;
    }

    List<String> of(ChangeSet payload) {
        payload.note().ifPresent(note -> lines.add("note: " + printable(note)));
        payload.replacesProposal().ifPresent(id -> lines.add("in place of proposal " + printable(id)));
        switch (payload.body()) {
            case Body.Change(var ops) -> ops.forEach(this::op);
            case Body.Supersede(var _, var correction, var ops) -> {
                lines.add("corrects version " + correction.of() + " ("
                        + correction.reason().wire() + "): " + printable(correction.note()));
                ops.forEach(this::op);
            }
            case Body.ReplaceAll(var _, var items) -> {
                lines.add("replaces everything by " + items.size() + " descriptors; what is not listed is removed:");
                items.forEach(item -> put(item.id(), item.draft()));
                Set<String> kept = items.stream().map(Item::id).collect(Collectors.toSet());
                present.ids().stream().filter(id -> !kept.contains(id)).forEach(id -> lines.add("removes " + id));
            }
            case Body.Rotate rotate -> rotation(rotate.signerSet());
            case Body.Genesis _ -> lines.add("begins a log");
        }
        return List.copyOf(lines);
    }

    private void op(Op op) {
        switch (op) {
            case Op.Put put -> put(put.id(), put.draft());
            case Op.Deprecate _ -> lines.add("deprecates " + op.id() + " (revision " + op.expectRev() + ")");
            case Op.Remove _ -> lines.add("removes " + op.id() + " (revision " + op.expectRev() + ")");
        }
    }

    private void put(String id, Draft after) {
        Optional<Descriptor> before = present.descriptor(id).filter(Descriptor::isLive);
        lines.add((before.isPresent() ? "changes " : "adds ") + id + " (" + after.kind() + ")");
        Map<String, String> old = before.map(ChangeText::flat).orElseGet(TreeMap::new);
        Map<String, String> next = flat(after);
        if (before.isPresent()) {
            next.put("kind", after.kind());
            next.put("state", Descriptor.State.PUBLISHED.wire());
        }
        differ(old, next);
    }

    private void differ(Map<String, String> old, Map<String, String> next) {
        TreeSet<String> keys = new TreeSet<>(old.keySet());
        keys.addAll(next.keySet());
        for (String key : keys) {
            String was = old.getOrDefault(key, "");
            String is = next.getOrDefault(key, "");
            if (!was.equals(is)) {
                if (old.containsKey(key)) {
                    lines.add("  - " + key + ": " + was);
                }
                if (next.containsKey(key)) {
                    lines.add("  + " + key + ": " + is);
                }
            }
        }
    }

    private static Map<String, String> flat(Descriptor descriptor) {
        Map<String, String> out = flat(descriptor.content());
        out.put("kind", descriptor.content().kind());
        out.put("state", descriptor.state().wire());
        return out;
    }

    private static Map<String, String> flat(Draft draft) {
        Map<String, String> out = new TreeMap<>();
        flatten("body", draft.body(), out);
        draft.labels().forEach((name, value) -> out.put("label " + name, printable(value)));
        draft.expiresAtMs()
                .ifPresent(at ->
                        out.put("expires", java.time.Instant.ofEpochMilli(at).toString()));
        return out;
    }

    private static void flatten(String path, Json value, Map<String, String> out) {
        if (value instanceof Json.Obj object && !object.members().isEmpty()) {
            object.members().forEach((name, member) -> flatten(path + step(name), member, out));
        } else {
            out.put(path, printable(CanonicalJson.text(value)));
        }
    }

    /** A name that could be taken for a path of several is quoted: two members never share a line. */
    private static String step(String name) {
        return name.matches("[A-Za-z0-9_-]+")
                ? "." + name
                : "[" + printable(CanonicalJson.text(new Json.Str(name))) + "]";
    }

    private void rotation(SignerSet next) {
        lines.add("changes who may approve: set " + signers.setVersion() + " (" + signers.m() + " of " + signers.n()
                + ") becomes set " + next.setVersion() + " (" + next.m() + " of " + next.n() + ")");
        differ(rules(signers), rules(next));
        for (Signer signer : next.signers()) {
            Optional<Signer> before = signers.signer(signer.signerId());
            if (before.filter(Signer::isActive).isPresent() && !signer.isActive()) {
                lines.add("  - " + signer.signerId() + " is revoked");
            } else if (!before.equals(Optional.of(signer))) {
                before.ifPresent(old -> lines.add("  - " + said(old)));
                lines.add("  + " + said(signer));
            }
        }
        for (Signer signer : signers.signers()) {
            if (next.signer(signer.signerId()).isEmpty()) {
                lines.add("  - " + said(signer));
            }
        }
    }

    /** Everything a signer set says but who is in it. */
    private static Map<String, String> rules(SignerSet set) {
        Map<String, String> out = new TreeMap<>();
        set.toJson().members().forEach((name, value) -> {
            if (!name.equals("signers") && !name.equals("set_version")) {
                flatten(name, value, out);
            }
        });
        return out;
    }

    private static String said(Signer signer) {
        return signer.signerId() + (signer.isActive() ? "" : " (revoked)") + " with "
                + signer.keys().stream()
                        .map(key -> key.algorithm().wire() + " " + key.keyId())
                        .collect(Collectors.joining(", "));
    }

    /** Text that strangers chose must not move the cursor of who reads it. */
    private static String printable(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                out.append(String.format(java.util.Locale.ROOT, "\\u%04x", c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }
}
