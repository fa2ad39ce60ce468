package dev.ron.service.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where a configuration is read from; a reload reads the same sources again. */
public record Sources(Optional<Path> file, Map<String, String> env, List<Assignment> flags) {

    /**
     * One key set on the command line.
     *
     * @param flag what the user typed, for messages: {@code --set} or {@code --port-base}
     */
    public record Assignment(String flag, String key, String value) {}

    public Sources {
        env = Map.copyOf(env);
        flags = List.copyOf(flags);
    }

    /** Nothing but the defaults. */
    public static Sources none() {
        return new Sources(Optional.empty(), Map.of(), List.of());
    }

    public Sources withFile(Path path) {
        return new Sources(Optional.of(path), env, flags);
    }

    /** Only the variables that begin with {@code RON__} are looked at. */
    public Sources withEnv(Map<String, String> variables) {
        return new Sources(file, variables, flags);
    }

    /** A {@code --set key=value} as typed; a missing {@code =} is reported by the loader. */
    public Sources withSet(String assignment) {
        int eq = assignment.indexOf('=');
        return eq < 0
                ? withFlag("--set", assignment.strip(), NOT_ASSIGNED)
                : withFlag("--set", assignment.substring(0, eq).strip(), assignment.substring(eq + 1));
    }

    /** A flag of its own name that sets a key, such as {@code --port-base}. */
    public Sources withFlag(String flag, String key, String value) {
        List<Assignment> more = new ArrayList<>(flags);
        more.add(new Assignment(flag, key, value));
        return new Sources(file, env, more);
    }

    static final String NOT_ASSIGNED = "\0";
}
