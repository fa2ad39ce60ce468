package dev.ron.admin.view;

import java.util.List;
import java.util.Map;

/**
 * Columns over time: {@code t[i]} in milliseconds since 1970 belongs to {@code cols[key][i]}; a gap is null.
 *
 * @param unknown keys that were asked for and are not tracked
 */
public record SeriesView(String nodeId, List<Long> t, Map<String, Points> cols, List<String> unknown) {}
