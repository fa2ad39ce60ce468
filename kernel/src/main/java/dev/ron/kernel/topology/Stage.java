package dev.ron.kernel.topology;

/** The order in which a process lets go: earlier stages end before later ones begin. */
public enum Stage {
    /** Readiness turns, so that balancers stop sending. */
    ANNOUNCE,
    /** Listeners stop accepting. */
    LISTENERS,
    /** Requests in flight finish; what is queued is answered. */
    WORK,
    /** Single writers finish, flush and sync. */
    WRITERS,
    /** Publishers and bridges flush. */
    PUBLISHERS,
    /** Samplers, watchers and refreshers end. */
    WATCHERS,
    /** Ops plane and log end last. */
    OBSERVE
}
