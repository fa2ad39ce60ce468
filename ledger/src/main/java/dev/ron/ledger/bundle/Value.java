package dev.ron.ledger.bundle;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.state.StateProof;
import java.util.Optional;

/**
 * A descriptor that is claimed to be current at the bundle's last step, or the claim that there is none.
 *
 * <p>One proof of absence can hold for several ids that share an empty bucket, each time truly: a reader asks the verdict
 * for the id it wants and does not take the file's word for which id that is.
 */
public record Value(Optional<Descriptor> descriptor, StateProof proof) {
    static Value fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        Optional<Descriptor> descriptor = fields.optional("descriptor", Descriptor::fromJson);
        StateProof proof = fields.one("proof", StateProof::fromJson);
        return fields.build(() -> new Value(descriptor, proof));
    }

    Json toJson() {
        return new ObjWriter()
                .putIf("descriptor", descriptor, Descriptor::toJson)
                .put("proof", proof.toJson())
                .end();
    }
}
