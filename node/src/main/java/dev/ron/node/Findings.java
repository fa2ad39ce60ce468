package dev.ron.node;

import java.util.ArrayList;
import java.util.List;

/** What an inspection found: each fact with a verdict and, where it is not good, what to do. */
public final class Findings {
    private final List<Finding> all = new ArrayList<>();

    /** How bad it is. */
    public enum Verdict {
        OK,
        WARN,
        BAD
    }

    /** One fact. */
    public record Finding(Verdict verdict, String what, String fact, String advice) {
        public static Finding bad(String what, String fact, String advice) {
            return new Finding(Verdict.BAD, what, fact, advice);
        }
    }

    public void add(Finding finding) {
        all.add(finding);
    }

    public void ok(String what, String fact) {
        all.add(new Finding(Verdict.OK, what, fact, ""));
    }

    public void warn(String what, String fact, String advice) {
        all.add(new Finding(Verdict.WARN, what, fact, advice));
    }

    public void bad(String what, String fact, String advice) {
        add(Finding.bad(what, fact, advice));
    }

    public List<Finding> all() {
        return List.copyOf(all);
    }

    public boolean good() {
        return all.stream().noneMatch(finding -> finding.verdict() == Verdict.BAD);
    }
}
