package dev.ron.registry.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * HEAD, chain, sync and crash as a small transition system, explored in every order.
 *
 * <p>Two writers race for HEAD as they would on a shared store; a crash takes any part of the log that was not synced. A
 * hash is modelled by the whole list of what it covers, so it never collides.
 */
final class HeadModel {
    private static final int WRITERS = 2;
    private static final int PROPOSALS = 3;
    private static final int MAX_CRASHES = 2;

    /** A rule that is left out; the model must then find a broken promise. */
    enum Mutant {
        NONE,
        NO_COMPARE_AND_SET,
        NO_DUPLICATE_CHECK,
        PUBLISH_BEFORE_SYNC,
        ACKNOWLEDGE_BEFORE_SYNC,
        SYNC_LIES
    }

    /** What broke, and after how many states. */
    record Finding(Optional<String> broken, int states) {}

    /** A record in the log: its proposal, and the chain it was appended to. */
    private record Entry(int proposal, List<Integer> prev) {}

    /** What a writer has looked at: the proposal it wants, the length and the chain it saw; -1 when idle. */
    private record Writer(int proposal, int version, List<Integer> tip) {
        static final Writer IDLE = new Writer(-1, 0, List.of());
    }

    private record State(
            List<Entry> log,
            int synced,
            int durable,
            Set<List<Integer>> published,
            Set<Integer> acknowledged,
            List<Writer> writers,
            int crashes) {}

    private final Mutant mutant;

    HeadModel(Mutant mutant) {
        this.mutant = mutant;
    }

    Finding explore() {
        State first = new State(List.of(), 0, 0, Set.of(), Set.of(), List.of(Writer.IDLE, Writer.IDLE), 0);
        Set<State> seen = new HashSet<>(Set.of(first));
        ArrayDeque<State> left = new ArrayDeque<>(List.of(first));
        while (!left.isEmpty()) {
            State state = left.poll();
            Optional<String> broken = broken(state);
            if (broken.isPresent()) {
                return new Finding(broken, seen.size());
            }
            for (State next : steps(state)) {
                if (seen.add(next)) {
                    left.add(next);
                }
            }
        }
        return new Finding(Optional.empty(), seen.size());
    }

    private static List<Integer> tip(List<Entry> log) {
        return log.stream().map(Entry::proposal).toList();
    }

    private static boolean holds(List<Entry> log, int proposal) {
        return log.stream().anyMatch(entry -> entry.proposal == proposal);
    }

    private List<State> steps(State s) {
        List<State> next = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            writer(s, w, next);
        }
        int told = mutant == Mutant.PUBLISH_BEFORE_SYNC ? s.log.size() : s.synced;
        for (int v = 1; v <= told; v++) {
            Set<List<Integer>> published = new HashSet<>(s.published);
            if (published.add(tip(s.log.subList(0, v)))) {
                next.add(new State(s.log, s.synced, s.durable, published, s.acknowledged, s.writers, s.crashes));
            }
        }
        int answered = mutant == Mutant.ACKNOWLEDGE_BEFORE_SYNC ? s.log.size() : s.synced;
        for (int v = 0; v < answered; v++) {
            Set<Integer> acknowledged = new TreeSet<>(s.acknowledged);
            if (acknowledged.add(s.log.get(v).proposal)) {
                next.add(new State(s.log, s.synced, s.durable, s.published, acknowledged, s.writers, s.crashes));
            }
        }
        if (s.synced < s.log.size()) {
            int durable = mutant == Mutant.SYNC_LIES ? s.durable : s.log.size();
            next.add(new State(s.log, s.log.size(), durable, s.published, s.acknowledged, s.writers, s.crashes));
        }
        if (s.crashes < MAX_CRASHES) {
            for (int kept = s.durable; kept <= s.log.size(); kept++) {
                next.add(new State(
                        List.copyOf(s.log.subList(0, kept)),
                        kept,
                        kept,
                        s.published,
                        s.acknowledged,
                        List.of(Writer.IDLE, Writer.IDLE),
                        s.crashes + 1));
            }
        }
        return next;
    }

    private void writer(State s, int w, List<State> next) {
        Writer writer = s.writers.get(w);
        if (writer.proposal < 0) {
            for (int p = 0; p < PROPOSALS; p++) {
                if (mutant == Mutant.NO_DUPLICATE_CHECK ? s.log.size() < 4 : !holds(s.log, p)) {
                    next.add(with(s, s.log, w, new Writer(p, s.log.size(), tip(s.log))));
                }
            }
            return;
        }
        boolean matches = writer.version == s.log.size() && writer.tip.equals(tip(s.log));
        if (matches || (mutant == Mutant.NO_COMPARE_AND_SET && s.log.size() < 4)) {
            List<Entry> log = new ArrayList<>(s.log);
            log.add(new Entry(writer.proposal, writer.tip));
            next.add(with(s, List.copyOf(log), w, Writer.IDLE));
        } else {
            next.add(with(s, s.log, w, Writer.IDLE));
        }
    }

    private static State with(State s, List<Entry> log, int w, Writer writer) {
        List<Writer> writers = new ArrayList<>(s.writers);
        writers.set(w, writer);
        return new State(log, s.synced, s.durable, s.published, s.acknowledged, List.copyOf(writers), s.crashes);
    }

    private static Optional<String> broken(State s) {
        for (int v = 0; v < s.log.size(); v++) {
            if (!s.log.get(v).prev.equals(tip(s.log.subList(0, v)))) {
                return Optional.of("chain");
            }
        }
        for (List<Integer> published : s.published) {
            if (published.size() > s.log.size()
                    || !tip(s.log.subList(0, published.size())).equals(published)) {
                return Optional.of("rollback");
            }
        }
        if (s.log.stream().map(Entry::proposal).distinct().count() != s.log.size()) {
            return Optional.of("double");
        }
        if (!s.acknowledged.stream().allMatch(p -> holds(s.log, p))) {
            return Optional.of("acknowledged and lost");
        }
        return Optional.empty();
    }
}
