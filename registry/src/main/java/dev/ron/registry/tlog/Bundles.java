package dev.ron.registry.tlog;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.ledger.bundle.Bundle;
import dev.ron.ledger.bundle.Value;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.model.Artifact;
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
                versions.add(held.get().contentVersion());
            }
            values.add(new Value(held.map(Held::descriptor), ledger.state().prove(id)));
        }
        List<Artifact> steps = new ArrayList<>();
        for (long step : versions) {
            Optional<Artifact> artifact = step == 0 ? Optional.empty() : registry.artifact(step);
            steps.add(artifact.orElseThrow(
                    () -> new RonException(Code.GONE, "gone", "the payload of version " + step + " was pruned")));
        }
        return Bundle.of(notary.checkpoint(view), view.version(), ledger.tree(), steps, values);
    }
}
