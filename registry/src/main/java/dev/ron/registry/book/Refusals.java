package dev.ron.registry.book;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.registry.store.StoreFault;
import java.time.Duration;

/** How refusals of the ledger and faults of the store are answered. */
public final class Refusals {
    private Refusals() {}

    public static RonException of(Refused refused) {
        return new RonException(code(refused.reason()), refused.reason().wire(), refused.detail());
    }

    private static Code code(Reason reason) {
        return switch (reason) {
            case MALFORMED, NOT_CANONICAL -> Code.PARSE_ERROR;
            case OVER_LIMIT -> Code.OVER_LIMIT;
            case CHAIN_MISMATCH, STALE_PRECONDITION, DUPLICATE_APPROVAL -> Code.CONFLICT;
            case EXPIRED -> Code.GONE;
            case WEAK_KEY,
                    INVALID_SIG,
                    PQ_REQUIRED,
                    BAD_SIGNER_SET,
                    UNKNOWN_SIGNER,
                    REVOKED_KEY,
                    FOREIGN_APPROVAL,
                    CLOCK_SKEW,
                    VERSION_SKEW,
                    QUORUM_FAILED,
                    PAYLOAD_HASH_MISMATCH,
                    APPROVALS_HASH_MISMATCH,
                    NOTE_UNVERIFIED,
                    LEAF_MISMATCH,
                    ROOT_MISMATCH,
                    STATE_MISMATCH,
                    UNTRUSTED_GENESIS,
                    INCOMPLETE -> Code.UNPROCESSABLE;
        };
    }

    /** A write that the store did not take; after {@code FAILED} nobody knows what became of it. */
    public static RonException of(StoreFault fault) {
        return switch (fault.kind()) {
            case FULL ->
                new RonException(
                        Code.STORAGE_BUSY,
                        "storage_busy",
                        String.valueOf(fault.getMessage()),
                        Duration.ofSeconds(1),
                        fault);
            case MOVED ->
                new RonException(
                        Code.CONFLICT,
                        "chain_mismatch",
                        "the log has moved on; try again",
                        Duration.ofSeconds(1),
                        fault);
            case FAILED, CORRUPT, ABSENT, LOCKED, ROLLED_BACK ->
                new RonException(
                        Code.UNAVAILABLE,
                        "storage_failed",
                        "the log cannot be written; whether this was is known after the next start",
                        Duration.ofSeconds(30),
                        fault);
        };
    }

    static RonException conflict(String reason, String detail) {
        return new RonException(Code.CONFLICT, reason, detail);
    }

    static RonException noSuchProposal(String id) {
        return new RonException(Code.NOT_FOUND, "not_found", "there is no proposal " + id);
    }
}
