package dev.ron.passport.policy;

import dev.ron.kernel.time.Deadline;
import java.util.Optional;

/** Where registry-sync fetches the policy from; what it answers has been verified. */
@FunctionalInterface
public interface PolicySource {
    /** @param known how far the log was read before; an answer from a log that does not continue it is refused */
    Offer fetch(Optional<Place> known, Deadline deadline) throws Exception;
}
