package dev.ron.passport.audit;

import dev.ron.kernel.call.CallContext;
import dev.ron.passport.issue.Minted;
import dev.ron.passport.issue.Order;
import dev.ron.passport.office.Command;
import dev.ron.token.keys.Revocation;
import java.util.Map;
import java.util.TreeMap;

/**
 * One thing that was done; ids only, never a token, a subject or a caveat's value.
 *
 * @param who a client, {@code holder} or {@code operator}
 */
public record AuditEvent(String action, String who, String corrId, Map<String, String> facts) {
    public AuditEvent {
        facts = Map.copyOf(facts);
    }

    public static AuditEvent issued(Order order, Minted minted) {
        return new AuditEvent(
                "issue",
                order.client().id(),
                callId(),
                Map.of(
                        "tid", order.tenant(),
                        "jti", minted.jti(),
                        "kid", minted.kid(),
                        "aud", String.join(" ", order.audiences()),
                        "epoch", Long.toString(minted.epoch()),
                        "policy", Long.toString(minted.policyVersion()),
                        "exp", Long.toString(minted.expiresAt())));
    }

    /** A command that was carried out. */
    public static AuditEvent done(String who, Command command, Command.Receipt receipt) {
        Map<String, String> facts = new TreeMap<>();
        facts.put("seq", Long.toString(receipt.seq()));
        facts.put("epoch", Long.toString(receipt.epoch()));
        String action = switch (command) {
            case Command.Revoke revoke -> {
                facts.put("tid", revoke.tenant());
                facts.put("reason", revoke.reason());
                facts.put("escalated", Boolean.toString(receipt.escalated()));
                facts.put("what", what(revoke.what()));
                yield "revoke";
            }
            case Command.MoveEpoch move -> {
                facts.put("reason", move.reason());
                facts.put("mode", move.soft() ? "soft" : "hard");
                yield "epoch";
            }
            case Command.DropClient drop -> {
                facts.put("client", drop.id());
                yield "client_gone";
            }
            case Command.RevokeKey revoke -> {
                facts.put("kid", revoke.kid());
                facts.put("reason", revoke.reason());
                yield "revoke_key";
            }
            case Command.Rotate rotate -> {
                facts.put("purpose", rotate.purpose().wire());
                facts.put("kid", String.join(" ", receipt.kids()));
                yield rotate.now() ? "rotate_now" : "rotate";
            }
            case Command.KeepClient kept -> {
                facts.put("client", kept.client().id());
                yield "client_add";
            }
        };
        return new AuditEvent(action, who, callId(), facts);
    }

    private static String what(Revocation revocation) {
        return switch (revocation) {
            case Revocation.Id id -> "id " + id.id();
            case Revocation.Subject _ -> "subject";
            case Revocation.Key key -> "kid " + key.kid();
            case Revocation.Floor _ -> "floor";
            case Revocation.TenantFloor _ -> "tenant floor";
        };
    }

    private static String callId() {
        return CallContext.current().corrId();
    }
}
