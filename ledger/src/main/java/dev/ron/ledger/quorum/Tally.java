package dev.ron.ledger.quorum;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a vote stands: the set in force, the incoming set of a rotation, and the rejections. */
public record Tally(Count current, Optional<Count> incoming, int rejections) {
    public boolean satisfied() {
        return current.satisfied() && incoming.map(Count::satisfied).orElse(true);
    }

    public void mustBeSatisfied() throws Refused {
        if (!satisfied()) {
            throw new Refused(Reason.QUORUM_FAILED, "quorum: " + missing());
        }
    }

    public String missing() {
        return Stream.concat(Stream.of(current), incoming.stream())
                .map(Count::missing)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
    }

    /** The {@code quorum} object of a proposal as it is served. */
    public Json.Obj toJson() {
        return new ObjWriter()
                .put("m", current.need())
                .put("n", current.n())
                .put("k_pq", current.needPq())
                .put("have", current.have())
                .put("have_pq", current.havePq())
                .put("satisfied", satisfied())
                .end();
    }
}
