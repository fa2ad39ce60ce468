package dev.ron.gateway.upstream;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Every upstream of a configuration, by name. */
public final class Upstreams {
    public static final Upstreams NONE = new Upstreams(Map.of());

    private final Map<String, Upstream> byId;

    public Upstreams(Map<String, Upstream> byId) {
        this.byId = Collections.unmodifiableMap(new LinkedHashMap<>(byId));
    }

    public Upstream get(String id) {
        Upstream found = byId.get(id);
        if (found == null) {
            throw new RonException(Code.INTERNAL, "upstream " + id + " is not configured");
        }
        return found;
    }

    @Nullable
    Upstream find(String id) {
        return byId.get(id);
    }

    public Collection<Upstream> all() {
        return byId.values();
    }
}
