package dev.ron.node;

import java.util.List;

/** A command cannot go on: what happened, why, and what to do, on three lines. */
public final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode code;
    private final transient List<String> lines;

    public Stop(ExitCode code, String what, String why, String whatToDo) {
        this(code, List.of(what, why, whatToDo));
    }

    private Stop(ExitCode code, List<String> lines) {
        super(String.join("\n", lines));
        this.code = code;
        this.lines = List.copyOf(lines);
    }

    /** Several problems at once, each of which says what is wrong with it and what was expected. */
    public static Stop listing(ExitCode code, List<String> lines) {
        return new Stop(code, lines);
    }

    public ExitCode code() {
        return code;
    }

    public List<String> lines() {
        return lines;
    }
}
