package dev.ron.service.status;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Everything the status document says, taken at one moment.
 *
 * @param listeners the URL of each listener, by its name
 */
public record StatusView(
        Identity identity,
        long uptimeSeconds,
        boolean ready,
        List<String> capabilities,
        List<Plane> planes,
        Map<String, String> addresses,
        Map<String, String> listeners,
        String logLevel,
        Map<String, String> deps,
        Map<String, String> services,
        String phase,
        ConfigState config,
        List<TaskLine> tasks,
        List<QueueLine> queues,
        Map<String, Object> serviceData) {

    /** What does not change while the process lives. */
    public record Identity(String service, String profile, String version, String instanceId, boolean amnesia) {}

    public record ConfigState(long version, String hash, Instant loadedAt) {}

    public record TaskLine(String name, String state, int restarts) {}

    public record QueueLine(String name, int depth, int capacity, long droppedTotal) {}
}
