package dev.ron.node.cli;

import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** What a change set does, in lines a person reads before signing. */
final class ChangeText {
    private final Function<String, Optional<Descriptor>> current;
    private final SignerSet signers;
    private final List<String> lines = new ArrayList<>();

    ChangeText(Function<String, Optional<Descriptor>> current, SignerSet signers) {
        this.current = current;
        this.signers = signers;
    }

    List<String> of(ChangeSet payload) {
        payload.note().ifPresent(note -> lines.add("note: " + printable(note)));
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
        Optional<Descriptor> before = current.apply(id);
        lines.add((before.isPresent() ? "changes " : "adds ") + id + " (" + after.kind() + ")");
        Map<String, String> old = before.map(found -> flat(found.content())).orElseGet(TreeMap::new);
        Map<String, String> next = flat(after);
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

    private static Map<String, String> flat(Draft draft) {
        Map<String, String> out = new TreeMap<>();
        flatten("", draft.body(), out);
        draft.labels().forEach((name, value) -> out.put("label " + name, printable(value)));
        draft.expiresAtMs()
                .ifPresent(at ->
                        out.put("expires", java.time.Instant.ofEpochMilli(at).toString()));
        return out;
    }

    private static void flatten(String path, Json value, Map<String, String> out) {
        if (value instanceof Json.Obj object && !object.members().isEmpty()) {
            object.members()
                    .forEach((name, member) ->
                            flatten(path.isEmpty() ? printable(name) : path + "." + printable(name), member, out));
        } else {
            out.put(path, printable(CanonicalJson.text(value)));
        }
    }

    private void rotation(SignerSet next) {
        lines.add("changes who may approve: set " + signers.setVersion() + " (" + signers.m() + " of " + signers.n()
                + ") becomes set " + next.setVersion() + " (" + next.m() + " of " + next.n() + ")");
        for (Signer signer : next.signers()) {
            Optional<Signer> before = signers.signer(signer.signerId());
            if (before.isEmpty()) {
                lines.add("  + " + signer.signerId() + " with key "
                        + signer.keys().getFirst().keyId());
            } else if (before.get().isActive() && !signer.isActive()) {
                lines.add("  - " + signer.signerId() + " is revoked");
            } else if (!before.get().equals(signer)) {
                lines.add("  ~ " + signer.signerId() + " has key "
                        + signer.keys().getFirst().keyId());
            }
        }
        for (Signer signer : signers.signers()) {
            if (next.signer(signer.signerId()).isEmpty()) {
                lines.add("  - " + signer.signerId());
            }
        }
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
