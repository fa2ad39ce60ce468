package dev.ron.passport.policy;

import java.util.Optional;

/**
 * What a registry says of the policy; verified.
 *
 * @param place where its log had come
 * @param policy empty where the log holds none, or no longer
 * @param bundle the file that proves it
 * @param seenAt the second at which the log signed that this is how far it has come
 */
public record Offer(Place place, Optional<Policy> policy, String bundle, long seenAt) {}
