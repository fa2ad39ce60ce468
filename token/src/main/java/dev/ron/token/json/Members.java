package dev.ron.token.json;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Takes typed members out of an object; what nobody took is unknown and {@link #end()} refuses it. */
public final class Members {
    private final Map<String, Json> members;
    private final String what;
    private final String[] taken;
    private int count;

    public Members(Json.Obj object, String what) {
        this.members = object.members();
        this.what = what;
        this.taken = new String[members.size()];
    }

    private @Nullable Json take(String name) {
        @Nullable Json value = members.get(name);
        if (value != null) {
            for (int i = 0; i < count; i++) {
                if (taken[i].equals(name)) {
                    throw new IllegalStateException(what + ": " + name + " is read twice");
                }
            }
            taken[count++] = name;
        }
        return value;
    }

    public String string(String name, int min, int max) throws Refused {
        return optionalString(name, min, max).orElseThrow(() -> missing(name));
    }

    public Optional<String> optionalString(String name, int min, int max) throws Refused {
        @Nullable Json value = take(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!(value instanceof Json.Str(String text))) {
            throw wrong(name, "must be a string");
        }
        if (text.length() < min || text.length() > max) {
            throw wrong(name, "must have " + min + ".." + max + " characters, has " + text.length());
        }
        return Optional.of(text);
    }

    /** Requires the member to be exactly this string: for algorithm and type names. */
    public void constant(String name, String expected, Reason otherwise) throws Refused {
        if (!string(name, 0, 512).equals(expected)) {
            throw new Refused(otherwise, what + ": " + name + " must be " + expected);
        }
    }

    public long integer(String name, long min, long max) throws Refused {
        return optionalInteger(name, min, max).orElseThrow(() -> missing(name));
    }

    public OptionalLong optionalInteger(String name, long min, long max) throws Refused {
        @Nullable Json value = take(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        if (!(value instanceof Json.Int(long number))) {
            throw wrong(name, "must be an integer");
        }
        if (number < min || number > max) {
            throw wrong(name, "must be within " + min + ".." + max + ", is " + number);
        }
        return OptionalLong.of(number);
    }

    /** Base64url of exactly {@code size} bytes, returned as the (canonical) text. */
    public String encoded(String name, int size) throws Refused {
        return optionalEncoded(name, size).orElseThrow(() -> missing(name));
    }

    public Optional<String> optionalEncoded(String name, int size) throws Refused {
        Optional<String> text = optionalString(name, 1, 512);
        if (text.isPresent()) {
            byte[] _ = Base64Url.decode(text.get(), size, what + ": " + name);
        }
        return text;
    }

    public List<Json> array(String name, int min, int max) throws Refused {
        @Nullable Json value = take(name);
        if (value == null) {
            throw missing(name);
        }
        if (!(value instanceof Json.Arr(List<Json> items))) {
            throw wrong(name, "must be an array");
        }
        if (items.size() < min || items.size() > max) {
            throw wrong(name, "must have " + min + ".." + max + " entries, has " + items.size());
        }
        return items;
    }

    public List<String> strings(String name, int min, int max, int maxLength) throws Refused {
        List<String> strings = new ArrayList<>();
        for (Json item : array(name, min, max)) {
            if (!(item instanceof Json.Str(String text)) || text.isEmpty() || text.length() > maxLength) {
                throw wrong(name, "must hold strings of 1.." + maxLength + " characters");
            }
            strings.add(text);
        }
        return List.copyOf(strings);
    }

    public Optional<Json.Obj> optionalObject(String name) throws Refused {
        @Nullable Json value = take(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!(value instanceof Json.Obj object)) {
            throw wrong(name, "must be an object");
        }
        return Optional.of(object);
    }

    public Optional<Json> any(String name) {
        return Optional.ofNullable(take(name));
    }

    public boolean has(String name) {
        return members.containsKey(name);
    }

    /** Refuses members that were never asked for. */
    public void end() throws Refused {
        int unknown = members.size() - count;
        if (unknown > 0) {
            // The name is the sender's text: say how many, not what, so that no token text reaches a log.
            throw new Refused(Reason.MALFORMED, what + ": " + unknown + " unknown member(s)");
        }
    }

    private Refused missing(String name) {
        return new Refused(Reason.MALFORMED, what + ": " + name + " is missing");
    }

    public Refused wrong(String name, String problem) {
        return new Refused(Reason.MALFORMED, what + ": " + name + " " + problem);
    }
}
