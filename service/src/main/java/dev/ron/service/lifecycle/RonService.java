package dev.ron.service.lifecycle;

import dev.ron.kernel.topology.Topology;
import dev.ron.service.status.Plane;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One service, alone in its process or beside others; it cannot tell the difference.
 *
 * <p>{@link #start} makes every part its topology declares, says which readiness keys it has, and returns when the
 * service serves. What was made through the context is stopped by the frame, stage by stage; there is no stop method.
 */
public interface RonService {

    /** The word used for its section, plane and metrics: {@code gateway}. */
    String name();

    Topology topology();

    /**
     * Brings the service up.
     *
     * @throws Exception when it cannot serve; the frame then stops whatever was started and the process ends
     */
    void start(ServiceContext context) throws Exception;

    /** Its parts, as {@code gateway.scheduler}; read from snapshots, without waiting. */
    default List<Plane> planes() {
        return List.of();
    }

    /** Its own part of the status document; read from snapshots, without waiting. */
    default Map<String, Object> statusData() {
        return Map.of();
    }

    /** How much post-quantum protection its signatures have, where it makes any. */
    default Optional<String> pqMode() {
        return Optional.empty();
    }

    /** What its seed puts before its metric names. */
    default String metricPrefix() {
        return "";
    }
}
