package dev.ron.ledger.state;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.hash.Blake3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.model.Descriptor;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One descriptor as its bucket lists it: id, revision, hash. */
public record Row(String id, long rev, B3 descriptorB3) {
    static Row of(Descriptor descriptor) {
        return new Row(descriptor.id(), descriptor.rev(), descriptor.hash());
    }

    /** 256 buckets by the first byte of the id's BLAKE3: spread evenly, whatever ids look like. */
    static int bucketOf(String id) {
        return Byte.toUnsignedInt(Blake3.hash(id.getBytes(StandardCharsets.UTF_8))[0]);
    }

    static Row fromJson(Json value, String what) throws Refused {
        if (value instanceof Json.Arr(List<Json> items)
                && items.size() == 3
                && items.get(0) instanceof Json.Str(String id)
                && items.get(1) instanceof Json.Int(long rev)) {
            return new Row(id, rev, B3.fromJson(items.get(2), what));
        }
        throw new Refused(Reason.MALFORMED, what + ": not a row (id, rev, descriptor_b3)");
    }

    byte[] bytes() {
        return CanonicalJson.bytes(toJson());
    }

    Json toJson() {
        return new Json.Arr(List.of(new Json.Str(id), new Json.Int(rev), descriptorB3.toJson()));
    }
}
