package dev.ron.passport.api;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.passport.issue.Order;
import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Binding;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.CaveatCodec;
import dev.ron.token.caveat.Shorthand;
import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.HolderSeed;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.Json;
import dev.ron.token.json.StrictJson;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads the members that may have more than one form. */
final class Inputs {
    private static final int MAX_CAVEATS = 64;
    private static final int MAX_CAVEAT_BYTES = 4096;

    private Inputs() {}

    /** Caveats as {@code "path=/o/"} or as {@code {"t":"path","v":["/o/"]}}. */
    static List<Caveat> caveats(Optional<List<JsonNode>> items, long now) {
        List<JsonNode> all = items.orElse(List.of());
        if (all.size() > MAX_CAVEATS) {
            throw bad("caveat_out_of_bounds", all.size() + " caveats (expected: at most 64)");
        }
        List<Caveat> caveats = new ArrayList<>();
        for (JsonNode item : all) {
            try {
                caveats.add(caveat(item, now));
            } catch (Refused refused) {
                throw bad(refused.reason() == Reason.CAV_UNKNOWN ? "unknown_caveat" : "bad_request", refused.detail());
            } catch (ArithmeticException _) {
                throw bad("bad_request", "a caveat's number is too large");
            }
        }
        return caveats;
    }

    private static Caveat caveat(JsonNode item, long now) throws Refused {
        if (item.isString()) {
            return Shorthand.parse(item.stringValue(), now);
        }
        if (!item.isObject()) {
            throw new Refused(Reason.MALFORMED, "a caveat must be a string or an object");
        }
        byte[] text = item.toString().getBytes(StandardCharsets.UTF_8);
        Caveat caveat = CaveatCodec.parse(StrictJson.OWN.object(text, MAX_CAVEAT_BYTES, "caveat"));
        if (caveat instanceof Caveat.Unknown) {
            throw new Refused(Reason.CAV_UNKNOWN, "a caveat is of an unknown type");
        }
        return caveat;
    }

    /** One string or a list of strings. */
    static List<String> strings(JsonNode node, String name) {
        if (node.isString()) {
            return List.of(node.stringValue());
        }
        List<String> all = new ArrayList<>();
        if (node.isArray()) {
            for (JsonNode item : node) {
                if (!item.isString()) {
                    throw bad("bad_request", name + " (expected: a string or a list of strings)");
                }
                all.add(item.stringValue());
            }
            return all;
        }
        throw bad("bad_request", name + " (expected: a string or a list of strings)");
    }

    /** The seed of a client that keeps it, as far as the token tells of it. */
    static Order.Holder holder(String commitment, Optional<String> nextKey) {
        try {
            Base64Url.decode(commitment, HolderSeed.SIZE, "holder.nh");
            if (nextKey.isPresent()) {
                Ed25519Key.of(Base64Url.decode(nextKey.get(), Ed25519Key.SIZE, "holder.nk"));
            }
            return new Order.Holder(commitment, nextKey);
        } catch (Refused refused) {
            throw bad("bad_request", refused.detail());
        }
    }

    /** {@code {"jkt":...}} or {@code {"x5t#S256":...}}. */
    static Binding confirmation(Map<String, String> members) {
        Map<String, Json> texts = new HashMap<>();
        members.forEach((name, value) -> texts.put(name, new Json.Str(value)));
        try {
            return Binding.parse(new Json.Obj(texts), "cnf");
        } catch (Refused refused) {
            throw bad("bad_request", refused.detail());
        }
    }

    /** An address written as such; a name is never looked up. */
    static InetAddress address(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException _) {
            throw bad("bad_request", "ctx.peer_ip (expected: an IP address)");
        }
    }

    static RonException bad(String reason, String detail) {
        return new RonException(Code.BAD_REQUEST, reason, detail);
    }
}
