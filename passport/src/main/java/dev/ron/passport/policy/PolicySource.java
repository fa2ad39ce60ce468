package dev.ron.passport.policy;

import dev.ron.kernel.time.Deadline;

/** Where registry-sync fetches the policy from; what it answers has been verified. */
@FunctionalInterface
public interface PolicySource {
    Policy fetch(Deadline deadline) throws Exception;
}
