package dev.ron.admin.action;

import dev.ron.admin.view.AuditRecord;
import dev.ron.ledger.hash.Sha256;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One line of the audit file: JSON with its members in a fixed order, the hash last.
 *
 * <p>The hash is taken over the line as it would be without it, the hash of the line before included. So no line can be
 * changed, left out or moved without every hash after it being wrong.
 */
final class AuditLine {
    static final String FIRST = "0".repeat(64);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private AuditLine() {}

    static AuditRecord chain(AuditEntry entry, long seq, String at, String prevHash) {
        AuditRecord open = new AuditRecord(
                seq,
                at,
                entry.actionId(),
                entry.phase(),
                entry.subject(),
                entry.roles(),
                entry.authMode(),
                entry.peer(),
                entry.nodeId(),
                entry.environment(),
                entry.action(),
                entry.reason(),
                entry.result(),
                entry.nodeStatus(),
                entry.code(),
                entry.corrId(),
                prevHash,
                "");
        return withHash(open, hash(open));
    }

    static String hash(AuditRecord record) {
        return HexFormat.of().formatHex(Sha256.of(JSON.writeValueAsBytes(body(record))));
    }

    static byte[] bytes(AuditRecord record) {
        ObjectNode line = body(record);
        line.put("hash", record.hash());
        // Written like what was hashed: the two ways to write JSON differ for text that is not well-formed.
        byte[] text = JSON.writeValueAsBytes(line);
        byte[] out = Arrays.copyOf(text, text.length + 1);
        out[text.length] = '\n';
        return out;
    }

    private static ObjectNode body(AuditRecord r) {
        ObjectNode out = JSON.createObjectNode();
        out.put("seq", r.seq());
        out.put("at", r.at());
        out.put("action_id", r.actionId());
        out.put("phase", r.phase());
        out.put("subject", r.subject());
        ArrayNode roles = out.putArray("roles");
        r.roles().forEach(roles::add);
        out.put("auth_mode", r.authMode());
        out.put("peer", r.peer());
        out.put("node_id", r.nodeId());
        out.put("environment", r.environment());
        out.put("action", r.action());
        out.put("reason", r.reason());
        out.put("result", r.result());
        if (r.nodeStatus() != null) {
            out.put("node_status", r.nodeStatus());
        }
        if (r.code() != null) {
            out.put("code", r.code());
        }
        out.put("corr_id", r.corrId());
        out.put("prev_hash", r.prevHash());
        return out;
    }

    /** The record of a line; empty where it is not one. */
    static Optional<AuditRecord> parse(String line) {
        try {
            JsonNode n = JSON.readTree(line);
            if (n == null
                    || !n.isObject()
                    || !n.path("seq").isIntegralNumber()
                    || !n.path("hash").isString()) {
                return Optional.empty();
            }
            List<String> roles = new ArrayList<>();
            n.path("roles").forEach(role -> roles.add(role.asString("")));
            return Optional.of(new AuditRecord(
                    n.path("seq").longValue(),
                    text(n, "at"),
                    text(n, "action_id"),
                    text(n, "phase"),
                    text(n, "subject"),
                    roles,
                    text(n, "auth_mode"),
                    text(n, "peer"),
                    text(n, "node_id"),
                    text(n, "environment"),
                    text(n, "action"),
                    text(n, "reason"),
                    text(n, "result"),
                    n.has("node_status") ? Integer.valueOf(n.path("node_status").asInt(0)) : null,
                    n.has("code") ? text(n, "code") : null,
                    text(n, "corr_id"),
                    text(n, "prev_hash"),
                    text(n, "hash")));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static String text(JsonNode node, String name) {
        return node.path(name).asString("");
    }

    private static AuditRecord withHash(AuditRecord r, String hash) {
        return new AuditRecord(
                r.seq(),
                r.at(),
                r.actionId(),
                r.phase(),
                r.subject(),
                r.roles(),
                r.authMode(),
                r.peer(),
                r.nodeId(),
                r.environment(),
                r.action(),
                r.reason(),
                r.result(),
                r.nodeStatus(),
                r.code(),
                r.corrId(),
                r.prevHash(),
                hash);
    }

    /** What is wrong with a record that should follow another; null where nothing is. */
    static @Nullable String flaw(AuditRecord record, long seq, String prevHash) {
        if (record.seq() != seq) {
            return "line " + seq + " is missing (found " + record.seq() + ")";
        }
        if (!record.prevHash().equals(prevHash)) {
            return "line " + seq + " does not follow from the one before it";
        }
        return record.hash().equals(hash(record)) ? null : "line " + seq + " was changed";
    }
}
