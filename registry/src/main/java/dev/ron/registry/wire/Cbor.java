package dev.ron.registry.wire;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.StrictJson;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The same values as the JSON, in the deterministic encoding of RFC 8949 §4.2; one value has exactly one form.
 *
 * <p>It is a transport only: what is hashed, signed and kept is always the canonical JSON of the value, so nothing comes in
 * this way that the reader of that JSON would not take.
 */
public final class Cbor {
    private static final int MAX_DEPTH = 36;

    private Cbor() {}

    public static byte[] write(Json value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(out, value);
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, Json value) {
        switch (value) {
            case Json.Bool(boolean flag) -> out.write(flag ? 0xf5 : 0xf4);
            case Json.Int(long number) -> head(out, number < 0 ? 1 : 0, number < 0 ? -1 - number : number);
            case Json.Str(String text) -> text(out, text);
            case Json.Arr(List<Json> items) -> {
                head(out, 4, items.size());
                items.forEach(item -> write(out, item));
            }
            case Json.Obj object -> {
                head(out, 5, object.members().size());
                object.members().entrySet().stream()
                        .map(member -> Map.entry(encodedText(member.getKey()), member.getValue()))
                        .sorted(Map.Entry.comparingByKey(Arrays::compareUnsigned))
                        .forEach(member -> {
                            out.writeBytes(member.getKey());
                            write(out, member.getValue());
                        });
            }
        }
    }

    private static byte[] encodedText(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        text(out, text);
        return out.toByteArray();
    }

    private static void text(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        head(out, 3, bytes.length);
        out.writeBytes(bytes);
    }

    private static void head(ByteArrayOutputStream out, int major, long argument) {
        int shifted = major << 5;
        if (argument < 24) {
            out.write(shifted | (int) argument);
        } else if (argument < 1L << 8) {
            out.write(shifted | 24);
            out.write((int) argument);
        } else if (argument < 1L << 16) {
            out.write(shifted | 25);
            out.writeBytes(ByteBuffer.allocate(2).putShort((short) argument).array());
        } else if (argument < 1L << 32) {
            out.write(shifted | 26);
            out.writeBytes(ByteBuffer.allocate(4).putInt((int) argument).array());
        } else {
            out.write(shifted | 27);
            out.writeBytes(ByteBuffer.allocate(8).putLong(argument).array());
        }
    }

    /** Reads one value; any other encoding of it than ours is refused, so nobody can hide anything in the form. */
    public static Json read(byte[] bytes, String what) throws Refused {
        requireFew(ByteBuffer.wrap(bytes), what);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        Json value = value(in, what, MAX_DEPTH);
        if (in.hasRemaining()) {
            throw malformed(what, "bytes after the end");
        }
        if (!Arrays.equals(write(value), bytes)) {
            throw new Refused(Reason.NOT_CANONICAL, what + ": not in the deterministic encoding of RFC 8949");
        }
        return StrictJson.SENT.read(CanonicalJson.bytes(value), what);
    }

    // Before anything is made of it: an empty map is one byte here and a hundred in memory.
    private static void requireFew(ByteBuffer in, String what) throws Refused {
        for (int heads = 0; in.hasRemaining(); heads++) {
            if (heads == StrictJson.MAX_TOKENS) {
                throw new Refused(Reason.OVER_LIMIT, what + ": more than " + heads + " values");
            }
            int first = next(in, what);
            if (first >> 5 == 3) {
                int length = count(in, first, what);
                in.position(in.position() + length);
            } else {
                long _ = argument(in, first, what);
            }
        }
    }

    private static Json value(ByteBuffer in, String what, int depth) throws Refused {
        if (depth == 0) {
            throw new Refused(Reason.OVER_LIMIT, what + ": deeper than " + MAX_DEPTH);
        }
        int first = next(in, what);
        int major = first >> 5;
        return switch (major) {
            case 0 -> integer(argument(in, first, what), false, what);
            case 1 -> integer(argument(in, first, what), true, what);
            case 3 -> new Json.Str(string(in, first, what));
            case 4 -> {
                int count = count(in, first, what);
                List<Json> items = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    items.add(value(in, what, depth - 1));
                }
                yield new Json.Arr(items);
            }
            case 5 -> object(in, first, what, depth);
            default ->
                switch (first) {
                    case 0xf4 -> new Json.Bool(false);
                    case 0xf5 -> new Json.Bool(true);
                    default -> throw malformed(what, "a float, null, tag or byte string");
                };
        };
    }

    private static Json.Obj object(ByteBuffer in, int first, String what, int depth) throws Refused {
        int count = count(in, first, what);
        if (count > StrictJson.MAX_MEMBERS) {
            throw new Refused(Reason.OVER_LIMIT, what + ": " + count + " members");
        }
        TreeMap<String, Json> members = new TreeMap<>(Comparator.naturalOrder());
        for (int i = 0; i < count; i++) {
            int key = next(in, what);
            if (key >> 5 != 3) {
                throw malformed(what, "a key that is not text");
            }
            if (members.put(string(in, key, what), value(in, what, depth - 1)) != null) {
                throw malformed(what, "a key twice");
            }
        }
        return new Json.Obj(members);
    }

    private static Json.Int integer(long argument, boolean negative, String what) throws Refused {
        if (argument < 0 || argument > Json.MAX_INTEGER || (negative && argument == Json.MAX_INTEGER)) {
            throw malformed(what, "an integer beyond 2^53-1");
        }
        return new Json.Int(negative ? -1 - argument : argument);
    }

    private static String string(ByteBuffer in, int first, String what) throws Refused {
        int length = count(in, first, what);
        ByteBuffer slice = in.slice(in.position(), length);
        in.position(in.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(slice).toString();
        } catch (CharacterCodingException e) {
            throw malformed(what, "text that is not UTF-8");
        }
    }

    /** A count of things to come: each takes at least a byte. */
    private static int count(ByteBuffer in, int first, String what) throws Refused {
        long count = argument(in, first, what);
        if (count < 0 || count > in.remaining()) {
            throw malformed(what, "cut off");
        }
        return (int) count;
    }

    private static long argument(ByteBuffer in, int first, String what) throws Refused {
        int info = first & 31;
        int length = switch (info) {
            case 24 -> 1;
            case 25 -> 2;
            case 26 -> 4;
            case 27 -> 8;
            default -> 0;
        };
        if (info > 27) {
            throw malformed(what, "an indefinite or reserved length");
        }
        if (length == 0) {
            return info;
        }
        if (in.remaining() < length) {
            throw malformed(what, "cut off");
        }
        return switch (length) {
            case 1 -> in.get() & 0xffL;
            case 2 -> in.getShort() & 0xffffL;
            case 4 -> in.getInt() & 0xffffffffL;
            default -> in.getLong();
        };
    }

    private static int next(ByteBuffer in, String what) throws Refused {
        if (!in.hasRemaining()) {
            throw malformed(what, "cut off");
        }
        return in.get() & 0xff;
    }

    private static Refused malformed(String what, String problem) {
        return new Refused(Reason.MALFORMED, what + ": " + problem);
    }
}
