package dev.ron.admin.view;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /api/nodes}: every node, ordered by id.
 *
 * @param totals how many nodes are in each state
 */
public record FleetView(
        long version, Instant generatedAt, long configVersion, List<NodeRow> nodes, Map<String, Integer> totals) {}
