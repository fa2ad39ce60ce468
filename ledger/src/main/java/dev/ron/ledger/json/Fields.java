package dev.ron.ledger.json;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes typed members out of an object; a member nobody took is unknown, and {@link #build} refuses it. */
public final class Fields {
    private final String what;
    private final Map<String, Json> left;

    /** Reads one element: an item of an array or the value of a member. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(Json value, String what) throws Refused;
    }

    private Fields(String what, Json.Obj object) {
        this.what = what;
        this.left = new TreeMap<>(object.members());
    }

    public static Fields of(Json value, String what) throws Refused {
        if (!(value instanceof Json.Obj object)) {
            throw new Refused(Reason.MALFORMED, what + ": not an object");
        }
        return new Fields(what, object);
    }

    /** The type tag: it separates the hash domains of our objects, so it comes first and must match. */
    public Fields tag(String expected) throws Refused {
        String actual = string("t");
        if (!actual.equals(expected)) {
            throw wrong("t", Quoted.of(actual) + " (expected: " + expected + ")");
        }
        return this;
    }

    public String string(String name) throws Refused {
        return string(take(name), what + "." + name);
    }

    public Optional<String> optionalString(String name) throws Refused {
        @Nullable Json value = left.remove(name);
        return value == null ? Optional.empty() : Optional.of(string(value, what + "." + name));
    }

    public long integer(String name, long min, long max) throws Refused {
        OptionalLong value = optionalInteger(name, min, max);
        if (value.isEmpty()) {
            throw wrong(name, "missing");
        }
        return value.getAsLong();
    }

    public OptionalLong optionalInteger(String name, long min, long max) throws Refused {
        @Nullable Json value = left.remove(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        if (!(value instanceof Json.Int(long number))) {
            throw wrong(name, "not an integer");
        }
        if (number < min || number > max) {
            throw wrong(name, number + " (expected: " + min + ".." + max + ")");
        }
        return OptionalLong.of(number);
    }

    /** A count, version or time: any integer from 0 on. */
    public long natural(String name) throws Refused {
        return integer(name, 0, Json.MAX_INTEGER);
    }

    public boolean bool(String name) throws Refused {
        if (!(take(name) instanceof Json.Bool(boolean value))) {
            throw wrong(name, "not true or false");
        }
        return value;
    }

    public <T> T one(String name, Reader<T> reader) throws Refused {
        return reader.read(take(name), what + "." + name);
    }

    public <T> Optional<T> optional(String name, Reader<T> reader) throws Refused {
        @Nullable Json value = left.remove(name);
        return value == null ? Optional.empty() : Optional.of(reader.read(value, what + "." + name));
    }

    public <T> List<T> list(String name, int max, Reader<T> reader) throws Refused {
        return items(take(name), max, what + "." + name, reader);
    }

    public <T> List<T> optionalList(String name, int max, Reader<T> reader) throws Refused {
        @Nullable Json value = left.remove(name);
        return value == null ? List.of() : items(value, max, what + "." + name, reader);
    }

    public static <T> List<T> items(Json value, int max, String what, Reader<T> reader) throws Refused {
        if (!(value instanceof Json.Arr(List<Json> items))) {
            throw new Refused(Reason.MALFORMED, what + ": not an array");
        }
        if (items.size() > max) {
            throw new Refused(Reason.OVER_LIMIT, what + ": " + items.size() + " items (expected: at most " + max + ")");
        }
        List<T> read = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            read.add(reader.read(items.get(i), what + "[" + i + "]"));
        }
        return List.copyOf(read);
    }

    public static String string(Json value, String what) throws Refused {
        if (!(value instanceof Json.Str(String text))) {
            throw new Refused(Reason.MALFORMED, what + ": not a string");
        }
        return text;
    }

    public static Json.Obj object(Json value, String what) throws Refused {
        if (!(value instanceof Json.Obj object)) {
            throw new Refused(Reason.MALFORMED, what + ": not an object");
        }
        return object;
    }

    /** Ends the reading: refuses members nobody took, and turns the record's own rules into refusals. */
    public <T> T build(Supplier<T> constructor) throws Refused {
        for (String unknown : left.keySet()) {
            throw wrong(unknown, "unknown member");
        }
        return checked(what, constructor);
    }

    /** Runs a constructor whose rules throw {@link IllegalArgumentException}. */
    public static <T> T checked(String what, Supplier<T> constructor) throws Refused {
        try {
            return constructor.get();
        } catch (IllegalArgumentException e) {
            throw new Refused(Reason.MALFORMED, what + ": " + e.getMessage());
        }
    }

    public Refused wrong(String name, String problem) {
        String shown = name.matches("[a-z0-9_]{1,40}") ? name : Quoted.of(name);
        return new Refused(Reason.MALFORMED, what + "." + shown + ": " + problem);
    }

    private Json take(String name) throws Refused {
        @Nullable Json value = left.remove(name);
        if (value == null) {
            throw wrong(name, "missing");
        }
        return value;
    }
}
