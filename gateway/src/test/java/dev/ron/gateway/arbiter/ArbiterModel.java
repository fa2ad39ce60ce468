package dev.ron.gateway.arbiter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arbiter as a machine of atomic steps: who may take the next step is free, what a step does is the code's.
 *
 * <p>Word steps are {@link Word}'s own; a compare-and-set loop is one step, since its failed tries change nothing. Actors:
 * producers that send a job each, one exchange per job that ends after its grant, a client that
 * leaves, and a shutdown. Whoever wins the election goes through the leader's steps.
 */
final class ArbiterModel {
    /** Ways to get it wrong; the search must find each. */
    enum Mutant {
        NONE,
        ENTRY_CHECKS_THEN_ACTS,
        RESIGNS_WITHOUT_COUNTING,
        RAISES_BEFORE_PUT,
        RELEASE_WAKES_NOBODY,
        CLOSE_WAKES_NOBODY,
        CANCEL_DOES_NOT_COMPARE,
        GRANT_DOES_NOT_COMPARE,
        CANCELLED_KEEPS_ITS_SEAT,
        LOST_GRANT_KEEPS_ITS_SLOT
    }

    private enum At {
        START,
        ACT, // only of the mutant that checks then acts
        ENTER_QUEUE,
        PUT,
        RUN_NOW,
        REFUSE,
        CANCEL,
        FLAG_CANCELLED,
        CLOSE,
        RELEASE,
        RAISE,
        LOOK,
        TAKE,
        MEET,
        DROP_CANCELLED,
        DISMISS,
        GRANT,
        PROMOTED,
        RESIGN,
        DELIVER,
        DONE
    }

    private static final int NOBODY = -1;

    final Mutant mutant;
    final World world;
    final int producers;
    final int seats;
    final int jobs;

    long word;
    int news;
    boolean cancelledFlag;
    List<Integer> inbox = new ArrayList<>(); // oldest first
    List<Integer> arrivals = new ArrayList<>();
    List<Integer> roll = new ArrayList<>(); // filed, in order
    final Job.State[] states;
    final int[] answers;
    final boolean[] running;

    private final At[] at;
    final int[] job; // the job an actor works on
    final int[] seen; // what the leader counted
    final long[] checked; // of the mutant that checks then acts
    final List<List<Integer>> outbox = new ArrayList<>();

    /** The world around: whether it is ever shut down, and whether the upstream ever answers. */
    enum World {
        ALL,
        NO_SHUTDOWN,
        UPSTREAM_HANGS
    }

    ArbiterModel(Mutant mutant, World world, int producers, int seats, int limit) {
        this.mutant = mutant;
        this.world = world;
        this.producers = producers;
        this.seats = seats;
        this.jobs = producers;
        this.word = Word.open(limit);
        this.states = new Job.State[jobs];
        Arrays.fill(states, Job.State.NEW);
        this.answers = new int[jobs];
        this.running = new boolean[jobs];
        int actors = producers + jobs + 2;
        this.at = new At[actors];
        this.job = new int[actors];
        this.seen = new int[actors];
        this.checked = new long[actors];
        for (int actor = 0; actor < actors; actor++) {
            outbox.add(new ArrayList<>());
            at[actor] = At.START;
            job[actor] = actor < producers ? actor : 0;
        }
        for (int j = 0; j < jobs; j++) {
            at[producers + j] = world == World.UPSTREAM_HANGS ? At.DONE : At.RELEASE;
            job[producers + j] = j;
        }
        at[actors - 2] = At.CANCEL;
        at[actors - 1] = world == World.NO_SHUTDOWN ? At.DONE : At.CLOSE;
    }

    private ArbiterModel(ArbiterModel from) {
        mutant = from.mutant;
        world = from.world;
        producers = from.producers;
        seats = from.seats;
        jobs = from.jobs;
        word = from.word;
        news = from.news;
        cancelledFlag = from.cancelledFlag;
        inbox = new ArrayList<>(from.inbox);
        arrivals = new ArrayList<>(from.arrivals);
        roll = new ArrayList<>(from.roll);
        states = from.states.clone();
        answers = from.answers.clone();
        running = from.running.clone();
        at = from.at.clone();
        job = from.job.clone();
        seen = from.seen.clone();
        checked = from.checked.clone();
        from.outbox.forEach(list -> outbox.add(new ArrayList<>(list)));
    }

    String key() {
        return word + "|" + news + cancelledFlag + inbox + arrivals + roll + Arrays.toString(states)
                + Arrays.toString(answers) + Arrays.toString(running) + Arrays.toString(at) + Arrays.toString(job)
                + Arrays.toString(seen) + Arrays.toString(checked) + outbox;
    }

    int actors() {
        return at.length;
    }

    /** The machine after this actor's next step, or null if it has none now. */
    @Nullable
    ArbiterModel after(int actor) {
        boolean waitsForGrant = at[actor] == At.RELEASE && !running[job[actor]];
        if (at[actor] == At.DONE || waitsForGrant) {
            return null;
        }
        ArbiterModel next = new ArbiterModel(this);
        next.step(actor);
        return next;
    }

    /** What must never be, or null. */
    @Nullable
    String violation() {
        int inFlight = 0;
        for (int j = 0; j < jobs; j++) {
            inFlight += running[j] ? 1 : 0;
            if (answers[j] > 1) {
                return "job " + j + " answered " + answers[j] + " times";
            }
        }
        if (inFlight > Word.limit(word)) {
            return inFlight + " in flight, limit " + Word.limit(word);
        }
        return null;
    }

    /** What must hold when nobody can take a step any more, or null. */
    @Nullable
    String violationAtEnd() {
        for (int j = 0; j < jobs; j++) {
            if (answers[j] != 1) {
                return "job " + j + " answered " + answers[j] + " times";
            }
        }
        boolean slotsBack = world == World.UPSTREAM_HANGS || Word.inFlight(word) == 0;
        if (!slotsBack || Word.anyQueued(word)) {
            return "left over: " + Word.inFlight(word) + " in flight, " + Word.waiting(word) + " waiting";
        }
        return null;
    }

    private void step(int a) {
        int j = job[a];
        switch (at[a]) {
            case START -> enter(a);
            case ACT -> act(a);
            case ENTER_QUEUE -> {
                if (compareAndSet(j, Job.State.NEW, Job.State.QUEUED)) {
                    at[a] = mutant == Mutant.RAISES_BEFORE_PUT ? At.RAISE : At.PUT;
                } else {
                    word = Word.leave(word, Job.Place.SEAT);
                    at[a] = At.DONE;
                }
            }
            case PUT -> {
                inbox.add(j);
                at[a] = mutant == Mutant.RAISES_BEFORE_PUT ? At.DONE : At.RAISE;
            }
            case RUN_NOW -> {
                if (compareAndSet(j, Job.State.NEW, Job.State.GRANTED)) {
                    tell(j);
                    at[a] = At.DONE;
                } else {
                    vacate(a);
                }
            }
            case REFUSE -> {
                if (compareAndSet(j, Job.State.NEW, Job.State.SHED)) {
                    tell(j);
                }
                at[a] = At.DONE;
            }
            case CANCEL -> {
                if (mutant == Mutant.CANCEL_DOES_NOT_COMPARE && states[j] == Job.State.GRANTED) {
                    answers[j]++;
                    at[a] = At.DONE;
                } else if (compareAndSet(j, Job.State.NEW, Job.State.CANCELLED)) {
                    answers[j]++;
                    at[a] = At.DONE;
                } else if (compareAndSet(j, Job.State.QUEUED, Job.State.CANCELLED)) {
                    answers[j]++;
                    at[a] = At.FLAG_CANCELLED;
                } else {
                    at[a] = At.DONE;
                }
            }
            case FLAG_CANCELLED -> {
                cancelledFlag = true;
                at[a] = At.RAISE;
            }
            case CLOSE -> {
                word = Word.close(word);
                at[a] = mutant == Mutant.CLOSE_WAKES_NOBODY ? At.DONE : At.RAISE;
            }
            case RELEASE -> {
                running[j] = false;
                vacate(a);
            }
            case RAISE -> {
                boolean leads = news++ == 0;
                if (leads) {
                    at[a] = At.LOOK;
                } else if (mutant == Mutant.RAISES_BEFORE_PUT && a < producers && states[j] == Job.State.QUEUED) {
                    at[a] = At.PUT;
                } else {
                    at[a] = At.DONE;
                }
            }
            default -> lead(a);
        }
    }

    private void enter(int a) {
        if (mutant == Mutant.ENTRY_CHECKS_THEN_ACTS) {
            checked[a] = word;
            at[a] = At.ACT;
            return;
        }
        Entry entry = Word.entry(word, 0, seats, false);
        word = Word.enter(word, entry);
        go(a, entry);
    }

    private void act(int a) {
        Entry entry = Word.entry(checked[a], 0, seats, false);
        word = Word.enter(word, entry); // adds to what the word is now, on the strength of what it was
        checked[a] = 0;
        go(a, entry);
    }

    private void go(int a, Entry entry) {
        at[a] = switch (entry) {
            case SLOT -> At.RUN_NOW;
            case SEAT, DOORWAY -> At.ENTER_QUEUE;
            case FULL, CLOSED -> At.REFUSE;
        };
    }

    private void vacate(int a) {
        boolean someoneQueued = Word.anyQueued(word);
        word = Word.vacate(word);
        if (someoneQueued && mutant != Mutant.RELEASE_WAKES_NOBODY) {
            at[a] = At.RAISE;
        } else {
            at[a] = At.DONE;
        }
    }

    private void lead(int a) {
        switch (at[a]) {
            case LOOK -> {
                seen[a] = news;
                at[a] = At.TAKE;
            }
            case TAKE -> {
                arrivals.addAll(inbox);
                inbox.clear();
                at[a] = At.MEET;
            }
            case MEET -> meet(a);
            case DISMISS -> dismiss(a);
            case DROP_CANCELLED -> dropCancelled(a);
            case GRANT -> grant(a);
            case PROMOTED -> promoted(a);
            case RESIGN -> {
                boolean all = mutant == Mutant.RESIGNS_WITHOUT_COUNTING || news == seen[a];
                news = all ? 0 : news - seen[a];
                seen[a] = 0;
                at[a] = all ? At.DELIVER : At.LOOK;
            }
            case DELIVER -> {
                outbox.get(a).forEach(this::tell);
                outbox.get(a).clear();
                at[a] = At.DONE;
            }
            default -> throw new IllegalStateException("actor " + a + " at " + at[a]);
        }
    }

    private void meet(int a) {
        if (arrivals.isEmpty()) {
            at[a] = At.DISMISS;
            return;
        }
        int j = arrivals.removeFirst();
        if (states[j] == Job.State.QUEUED) {
            roll.add(j);
        } else {
            word = Word.leave(word, Job.Place.SEAT);
        }
    }

    private void dismiss(int a) {
        if (!Word.closed(word) || roll.isEmpty()) {
            at[a] = At.DROP_CANCELLED;
            return;
        }
        int j = roll.removeLast();
        word = Word.leave(word, Job.Place.SEAT);
        if (compareAndSet(j, Job.State.QUEUED, Job.State.DRAINED)) {
            outbox.get(a).add(j);
        }
    }

    private void dropCancelled(int a) {
        if (cancelledFlag) {
            cancelledFlag = false;
            for (int j : List.copyOf(roll)) {
                if (states[j] == Job.State.CANCELLED) {
                    strike(j);
                }
            }
        }
        at[a] = At.GRANT;
    }

    private void grant(int a) {
        int j = roll.isEmpty() ? NOBODY : roll.getFirst();
        if (j == NOBODY) {
            at[a] = At.RESIGN;
        } else if (Word.inFlight(word) >= Word.limit(word)) {
            at[a] = At.RESIGN;
        } else if (states[j] != Job.State.QUEUED && mutant != Mutant.GRANT_DOES_NOT_COMPARE) {
            strike(j);
        } else {
            word = Word.promote(word);
            at[a] = At.PROMOTED;
        }
    }

    private void promoted(int a) {
        int j = roll.removeFirst();
        if (mutant == Mutant.GRANT_DOES_NOT_COMPARE) {
            states[j] = Job.State.GRANTED;
            outbox.get(a).add(j);
        } else if (compareAndSet(j, Job.State.QUEUED, Job.State.GRANTED)) {
            outbox.get(a).add(j);
        } else if (mutant != Mutant.LOST_GRANT_KEEPS_ITS_SLOT) {
            word = Word.vacate(word);
        }
        at[a] = At.GRANT;
    }

    private void strike(int j) {
        roll.remove(Integer.valueOf(j));
        if (mutant != Mutant.CANCELLED_KEEPS_ITS_SEAT) {
            word = Word.leave(word, Job.Place.SEAT);
        }
    }

    private void tell(int j) {
        answers[j]++;
        running[j] = states[j] == Job.State.GRANTED;
    }

    private boolean compareAndSet(int j, Job.State from, Job.State to) {
        if (states[j] != from) {
            return false;
        }
        states[j] = to;
        return true;
    }
}
