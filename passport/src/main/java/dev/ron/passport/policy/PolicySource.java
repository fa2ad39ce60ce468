package dev.ron.passport.policy;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;

/** Where registry-sync fetches the policy from; what it answers has been verified. */
@FunctionalInterface
public interface PolicySource {
    /** For an office that can ask no registry: one that is configured all the same has no policy, so nothing is issued. */
    PolicySource NONE = deadline -> {
        throw new RonException(Code.UNAVAILABLE, "registry_unavailable", "this process cannot ask a registry");
    };

    Policy fetch(Deadline deadline) throws Exception;
}
