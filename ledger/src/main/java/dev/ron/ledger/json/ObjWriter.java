package dev.ron.ledger.json;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/** Puts an object together; an absent or empty optional member is left out, never written as null. */
public final class ObjWriter {
    private final TreeMap<String, Json> members = new TreeMap<>();

    public ObjWriter put(String name, Json value) {
        if (members.put(name, value) != null) {
            throw new IllegalArgumentException("member written twice: " + name);
        }
        return this;
    }

    public ObjWriter put(String name, String value) {
        return put(name, new Json.Str(value));
    }

    public ObjWriter put(String name, long value) {
        return put(name, new Json.Int(value));
    }

    public ObjWriter put(String name, boolean value) {
        return put(name, new Json.Bool(value));
    }

    public <T> ObjWriter putAll(String name, List<T> values, Function<T, Json> form) {
        return put(name, new Json.Arr(values.stream().map(form).toList()));
    }

    public <T> ObjWriter putIf(String name, Optional<T> value, Function<T, Json> form) {
        value.ifPresent(present -> put(name, form.apply(present)));
        return this;
    }

    public ObjWriter putIf(String name, OptionalLong value) {
        value.ifPresent(present -> put(name, present));
        return this;
    }

    public <T> ObjWriter putIfAny(String name, List<T> values, Function<T, Json> form) {
        return values.isEmpty() ? this : putAll(name, values, form);
    }

    public Json.Obj end() {
        return new Json.Obj(members);
    }
}
