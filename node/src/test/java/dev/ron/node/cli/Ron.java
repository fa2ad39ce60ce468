package dev.ron.node.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** The command line as a test types it: in this process, with what it says kept. */
public final class Ron {
    private Ron() {}

    /** How a command ended and what it said. */
    public record Said(int code, String out, String err) {}

    public static Said ron(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = RonCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Said(code, out.toString(), err.toString());
    }
}
