package dev.ron.admin.series;

import java.util.List;

/** A family and the labels that were kept of it: {@code queue_depth{service="edge",queue="work"}}. */
record SeriesName(String family, List<String> labels, List<String> values) {

    String key() {
        if (labels.isEmpty()) {
            return family;
        }
        StringBuilder out = new StringBuilder(family).append('{');
        for (int i = 0; i < labels.size(); i++) {
            out.append(i == 0 ? "" : ",")
                    .append(labels.get(i))
                    .append("=\"")
                    .append(values.get(i)
                            .replace("\\", "\\\\")
                            .replace("\"", "\\\"")
                            .replace("\n", "\\n"))
                    .append('"');
        }
        return out.append('}').toString();
    }

    /** The value of a label; empty where it was not kept. */
    String value(String label) {
        int at = labels.indexOf(label);
        return at < 0 ? "" : values.get(at);
    }
}
