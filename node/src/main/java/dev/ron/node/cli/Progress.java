package dev.ron.node.cli;

import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;

/** One line on a terminal that counts what has been done; nothing elsewhere. */
final class Progress implements AutoCloseable {
    private static final long EVERY_NANOS = 100_000_000L;

    private final PrintWriter err;
    private final String what;
    private final boolean terminal = Boolean.getBoolean("ron.terminal");
    private final long began = System.nanoTime();
    private long shownAt = began;
    private boolean shown;

    Progress(CommandSpec spec, String what) {
        this.err = spec.commandLine().getErr();
        this.what = what;
    }

    void accept(long done) {
        long now = System.nanoTime();
        if (terminal && now - shownAt > EVERY_NANOS) {
            shownAt = now;
            shown = true;
            double seconds = (now - began) / 1e9;
            err.printf(Locale.ROOT, "\r%,d %s, %,.0f/s  ", done, what, done / seconds);
            err.flush();
        }
    }

    @Override
    public void close() {
        if (shown) {
            shown = false;
            err.print("\r" + " ".repeat(60) + "\r");
            err.flush();
        }
    }
}
