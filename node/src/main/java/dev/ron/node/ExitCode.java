package dev.ron.node;

/** How the process ends, documented in {@code docs/reference/exit-codes.md}. */
public enum ExitCode {
    OK(0, "clean"),
    NO(1, "the answer is no"),
    BAD_CONFIG(2, "the configuration is wrong; nothing was started"),
    ABORTED(3, "stopped, but some work had to be given up"),
    USAGE(64, "the command line is wrong"),
    FATAL(70, "the process cannot go on"),
    LOCKED(73, "another process uses the data folder"),
    ROLLBACK(74, "the data folder is older than it was"),
    CANNOT_BIND(98, "a port is taken");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    public String meaning() {
        return meaning;
    }
}
