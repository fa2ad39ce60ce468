package dev.ron.node.cli;

import dev.ron.node.Findings;
import java.io.PrintWriter;
import java.util.Locale;

/** Findings as a table for people or as JSON for scripts. */
final class FindingsPrinter {
    private FindingsPrinter() {}

    static void print(PrintWriter out, Findings findings, boolean json) {
        if (json) {
            Json.print(out, findings.all());
            return;
        }
        Table table = new Table();
        findings.all()
                .forEach(f -> table.row(
                        f.verdict().name().toLowerCase(Locale.ROOT),
                        f.what(),
                        f.advice().isEmpty() ? f.fact() : f.fact() + "; " + f.advice()));
        out.print(table);
        out.println(findings.good() ? "all good" : "not good: see the lines that begin with bad");
        out.flush();
    }
}
