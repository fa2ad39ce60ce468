package dev.ron.service.config;

import java.util.Optional;

/** One key whose value differs between two configurations; texts are redacted already. */
public record ConfigChange(String key, Optional<String> from, Optional<String> to, Change change) {
    @Override
    public String toString() {
        return key + ": " + from.orElse("unset") + " -> " + to.orElse("unset");
    }
}
