package dev.ron.gateway.upstream;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.Collection;
import java.util.Map;

/** Every upstream of a configuration, by name. */
public final class Upstreams {
    private final Map<String, Upstream> byId;

    public Upstreams(Map<String, Upstream> byId) {
        this.byId = Map.copyOf(byId);
    }

    public Upstream get(String id) {
        Upstream found = byId.get(id);
        if (found == null) {
            throw new RonException(Code.INTERNAL, "upstream " + id + " is not configured");
        }
        return found;
    }

    public Collection<Upstream> all() {
        return byId.values();
    }

    public void close() {
        byId.values().forEach(Upstream::close);
    }
}
