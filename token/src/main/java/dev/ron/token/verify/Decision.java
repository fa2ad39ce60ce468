package dev.ron.token.verify;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import java.util.List;

/** The answer to one request. It holds for that request only and must not be remembered. */
public sealed interface Decision {
    /** Go ahead, provided the obligations are met. */
    record Allow(Principal principal, Obligations obligations) implements Decision {}

    /**
     * Stop.
     *
     * @param reasons at least one, at most eight, the first being the one to answer with
     * @param detail for logs and people who debug; holds no token text
     */
    record Deny(List<Reason> reasons, String detail) implements Decision {
        static final int MAX_REASONS = 8;

        static Deny of(Refused refused) {
            return new Deny(List.of(refused.reason()), refused.detail());
        }

        public Reason reason() {
            return reasons.getFirst();
        }
    }
}
