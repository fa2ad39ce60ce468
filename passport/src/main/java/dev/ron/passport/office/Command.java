package dev.ron.passport.office;

import dev.ron.passport.client.Client;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.Revocation;
import java.util.List;
import java.util.Optional;

/** What the office's one writer can be asked to do. */
public sealed interface Command {
    /**
     * Revokes a token, a branch or a subject.
     *
     * @param tenant whose tokens are concerned, for quota and escalation; empty where that is not known
     * @param heldRoot present if a holder revokes what it holds: the root of the branch
     * @param ofTenant whether a client asks that speaks for some tenants only, each of which has a share of the places
     */
    record Revoke(Revocation what, String reason, String tenant, Optional<Revocation.Id> heldRoot, boolean ofTenant)
            implements Command {}

    /** Ends every token of an earlier epoch: at once, or softly, when the time of grace is over. */
    record MoveEpoch(long to, boolean soft, String reason) implements Command {}

    /** Revokes a key; an active one is replaced at once. */
    record RevokeKey(String kid, String reason) implements Command {}

    /** Publishes the next key of a purpose; {@code now} also puts it to use and revokes the old ones. */
    record Rotate(Purpose purpose, boolean now) implements Command {}

    /** Adds a client, or replaces the one of that name. */
    record KeepClient(Client client) implements Command {}

    /** Ends a client: its key or certificate opens nothing any more; tokens it was given live on. */
    record DropClient(String id) implements Command {}

    /**
     * What was done, once it cannot be lost any more.
     *
     * @param escalated true if more was revoked than asked for, because there was no room for less
     * @param kids keys that this made known or ended
     */
    record Receipt(long epoch, long globalFloor, long tenantFloor, long seq, boolean escalated, List<String> kids) {}
}
