package dev.ron.service.config;

import java.util.List;
import java.util.stream.Collectors;

/** What loading gives: a whole configuration, or everything that is wrong with it. */
public sealed interface ConfigResult {
    record Loaded(Config config) implements ConfigResult {}

    record Rejected(List<ConfigError> errors) implements ConfigResult {
        public Rejected {
            errors = List.copyOf(errors);
        }

        /** One error per line. */
        public String text() {
            return errors.stream().map(ConfigError::toString).collect(Collectors.joining("\n"));
        }
    }
}
