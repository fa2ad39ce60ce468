package dev.ron.node.cli;

import dev.ron.edge.pack.Headway;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;
import picocli.CommandLine.Model.CommandSpec;

/** How far something is: one line with a bar on a terminal, a plain line now and then elsewhere. */
final class Progress implements Headway, AutoCloseable {
    private static final long REDRAWN_NANOS = 100_000_000L;
    private static final long LOGGED_NANOS = 5_000_000_000L;
    private static final int BAR = 20;
    private static final int WIDTH = 79;

    private final PrintWriter err;
    private final String what;
    private final boolean terminal;
    private final LongSupplier nanos;
    private final long began;
    private long shownAt;
    private long total;
    private boolean drawn;

    Progress(CommandSpec spec, String what) {
        this(spec.commandLine().getErr(), what, Boolean.getBoolean("ron.terminal"), System::nanoTime);
    }

    Progress(PrintWriter err, String what, boolean terminal, LongSupplier nanos) {
        this.err = err;
        this.what = what;
        this.terminal = terminal;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
        this.shownAt = began;
    }

    @Override
    public void total(long expected) {
        total = expected;
    }

    @Override
    public void done(long done) {
        long now = nanos.getAsLong();
        if (now - shownAt < (terminal ? REDRAWN_NANOS : LOGGED_NANOS)) {
            return;
        }
        shownAt = now;
        double perSecond = done / ((now - began) / 1e9);
        if (terminal) {
            drawn = true;
            err.print("\r" + padded(bar(done) + text(done, perSecond)));
        } else {
            err.println(text(done, perSecond));
        }
        err.flush();
    }

    private String text(long done, double perSecond) {
        String rate = String.format(Locale.ROOT, ", %,.0f/s", perSecond);
        return total > 0
                ? String.format(Locale.ROOT, "%,d of %,d %s, %d %%", done, total, what, percent(done)) + rate
                : String.format(Locale.ROOT, "%,d %s", done, what) + rate;
    }

    private String bar(long done) {
        if (total <= 0) {
            return "";
        }
        int full = (int) (percent(done) * BAR / 100);
        return "[" + "#".repeat(full) + "-".repeat(BAR - full) + "] ";
    }

    /** A total that a header got wrong does not draw beyond the end. */
    private long percent(long done) {
        return Math.clamp(done * 100 / total, 0, 100);
    }

    private static String padded(String line) {
        return line + " ".repeat(Math.max(0, WIDTH - line.length()));
    }

    @Override
    public void close() {
        if (drawn) {
            drawn = false;
            err.print("\r" + " ".repeat(WIDTH) + "\r");
            err.flush();
        }
    }
}
