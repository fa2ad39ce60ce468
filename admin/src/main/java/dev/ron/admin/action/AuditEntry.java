package dev.ron.admin.action;

import dev.ron.admin.auth.Identity;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A line of the audit log before it has its number, its time and its place in the chain. */
public record AuditEntry(
        String actionId,
        String phase,
        String subject,
        List<String> roles,
        String authMode,
        String peer,
        String nodeId,
        String environment,
        String action,
        String reason,
        String result,
        @Nullable Integer nodeStatus,
        @Nullable String code,
        String corrId) {

    /** Who does what to which node. */
    public record Deed(
            String actionId,
            Identity identity,
            String authMode,
            String peer,
            String nodeId,
            String environment,
            String action,
            String reason,
            String corrId) {

        /** A deed without a reason, with an id of its own. */
        public static Deed of(
                Identity identity,
                String authMode,
                String peer,
                String nodeId,
                String environment,
                String action,
                String corrId) {
            String id = UUID.randomUUID().toString();
            return new Deed(id, identity, authMode, peer, nodeId, environment, action, "", corrId);
        }

        AuditEntry intent() {
            return entry("intent", "pending", null, null);
        }

        AuditEntry outcome(String result, @Nullable Integer nodeStatus, @Nullable String code) {
            return entry("outcome", result, nodeStatus, code);
        }

        AuditEntry rejected(String code) {
            return entry("rejected", "denied", null, code);
        }

        private AuditEntry entry(String phase, String result, @Nullable Integer nodeStatus, @Nullable String code) {
            return new AuditEntry(
                    actionId,
                    phase,
                    identity.subject(),
                    identity.roleWords(),
                    authMode,
                    peer,
                    nodeId,
                    environment,
                    action,
                    reason,
                    result,
                    nodeStatus,
                    code,
                    corrId);
        }
    }
}
