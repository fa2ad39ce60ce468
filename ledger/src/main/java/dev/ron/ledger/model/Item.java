package dev.ron.ledger.model;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A descriptor of a whole set, as genesis and {@code replace_all} carry it. */
public record Item(String id, Draft draft) {
    public static final int MAX_ITEMS = 16_384;

    public Item {
        Grammar.ID.require(id);
    }

    static List<Item> requireDistinct(List<Item> items) {
        Grammar.requireAtMost("items", items.size(), MAX_ITEMS);
        Set<String> ids = new HashSet<>();
        for (Item item : items) {
            if (!ids.add(item.id)) {
                throw new IllegalArgumentException("two items " + item.id);
            }
        }
        return List.copyOf(items);
    }

    static Item fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        String id = fields.string("id");
        Draft draft = fields.one("descriptor", Draft::fromJson);
        return fields.build(() -> new Item(id, draft));
    }

    Json toJson() {
        return new ObjWriter().put("id", id).put("descriptor", draft.toJson()).end();
    }
}
