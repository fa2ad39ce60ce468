package dev.ron.registry.tlog;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.ledger.bundle.Bundle;
import dev.ron.ledger.bundle.Value;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.state.Held;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Puts together the one file that proves a commit, and current values, to somebody who is offline. */
public final class Bundles {
    private final Registry registry;
    private final Notary notary;

    public Bundles(Registry registry, Notary notary) {
        this.registry = registry;
        this.notary = notary;
    }

    /** @param ids descriptors whose current value is to be proved; only the head can do that */
    public Bundle of(View view, long version, List<String> ids) throws IOException {
        Ledger ledger = view.ledger();
        TreeSet<Long> versions = new TreeSet<>(ledger.stepsOf(version));
        List<Value> values = new ArrayList<>();
        for (String id : ids) {
            Optional<Held> held = ledger.state().get(id);
            if (held.isPresent()) {
                versions.add(held.get().version());
                if (held.get().descriptor().state() == Descriptor.State.DEPRECATED) {
                    versions.add(writer(id, held.get().version() - 1));
                }
            }
            values.add(new Value(held.map(Held::descriptor), ledger.state().prove(id)));
        }
        List<Artifact> steps = new ArrayList<>();
        for (long step : versions) {
            steps.add(registry.artifact(step)
                    .orElseThrow(() ->
                            new RonException(Code.GONE, "gone", "the payload of version " + step + " was pruned")));
        }
        return Bundle.of(notary.checkpoint(view), view.version(), ledger.tree(), steps, values);
    }

    /** The last version at or before one that put this descriptor. */
    private long writer(String id, long from) throws IOException {
        for (long version = from; version > 0; version--) {
            Optional<Artifact> artifact = registry.artifact(version);
            if (artifact.isPresent() && puts(artifact.get().payload().body(), id)) {
                return version;
            }
        }
        throw new RonException(Code.GONE, "gone", "the payload that wrote " + id + " was pruned");
    }

    private static boolean puts(Body body, String id) {
        return switch (body) {
            case Body.Change(var ops) ->
                ops.stream().anyMatch(op -> op instanceof Op.Put && op.id().equals(id));
            case Body.Supersede(var _, var _, var ops) ->
                ops.stream().anyMatch(op -> op instanceof Op.Put && op.id().equals(id));
            case Body.ReplaceAll all ->
                all.items().stream().anyMatch(item -> item.id().equals(id));
            case Body.Genesis genesis ->
                genesis.items().stream().anyMatch(item -> item.id().equals(id));
            case Body.Rotate _ -> false;
        };
    }
}
