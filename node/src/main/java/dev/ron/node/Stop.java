package dev.ron.node;

import java.util.List;

/** A command cannot go on: what happened, why, and what to do, on three lines. */
public final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode code;
    private final transient List<String> lines;

    public Stop(ExitCode code, String... lines) {
        super(String.join("\n", lines));
        this.code = code;
        this.lines = List.of(lines);
    }

    public ExitCode code() {
        return code;
    }

    public List<String> lines() {
        return lines;
    }
}
