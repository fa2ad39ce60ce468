package dev.ron.service.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What loading gives: a whole configuration, or everything that is wrong with it. */
public sealed interface ConfigResult {
    record Loaded(Config config) implements ConfigResult {}

    /**
     * @param understood the sections that could be read all the same, for whoever wants to look further
     */
    record Rejected(List<ConfigError> errors, Map<Class<?>, Object> understood) implements ConfigResult {
        public Rejected {
            errors = List.copyOf(errors);
            understood = Map.copyOf(understood);
        }

        /** A section that could be read although something is wrong, there or elsewhere. */
        public <T extends Record> Optional<T> section(Class<T> type) {
            return Optional.ofNullable(understood.get(type)).map(type::cast);
        }

        /** One error per line. */
        public String text() {
            return errors.stream().map(ConfigError::toString).collect(Collectors.joining("\n"));
        }
    }
}
