package dev.ron.gateway;

/** Something an operator should know. */
sealed interface GatewayEvent {
    /** An upstream began or ceased to shed writes. */
    record Degraded(String upstream, boolean on, String why) implements GatewayEvent {}

    /** An order of service failed and began anew. */
    record Restarted(String upstream, String cause, int shed) implements GatewayEvent {}

    /** An upstream is served first come, first served from now on. */
    record FellBack(String upstream) implements GatewayEvent {}

    /** A request failed on the answer to its claim. */
    record CallerFailed(String upstream, String cause) implements GatewayEvent {}
}
