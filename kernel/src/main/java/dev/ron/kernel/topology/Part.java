package dev.ron.kernel.topology;

import java.util.regex.Pattern;

/** Anything a topology declares. */
public sealed interface Part
        permits MailboxSpec, QueueSpec, BroadcastSpec, WatchSpec, LockSpec, LaneSpec, PermitsSpec, TaskSpec {

    String name();

    static void requireName(String name) {
        if (!Names.VALID.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" (expected: lower-case words joined by _ or -)");
        }
    }

    /** What a name may look like: it becomes a metric label. */
    final class Names {
        private static final Pattern VALID = Pattern.compile("[a-z][a-z0-9]*([_-][a-z0-9]+)*");

        private Names() {}
    }
}
