package dev.ron.service.ops;

import dev.ron.service.lifecycle.Frame;

/** The probes of a service for its own port. */
public final class Probes {
    private Probes() {}

    public static dev.ron.service.health.Probes of(Frame frame, String service) {
        return frame.probes(service);
    }
}
