package dev.ron.kernel.task;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;

/** Something that must end in its stage of a shutdown. */
public interface Drainable {

    String name();

    Stage stage();

    /**
     * Ends gracefully; true when nothing is left before the deadline. May wait. Called again after each {@link #abort},
     * to see whether that was enough.
     */
    boolean drain(Deadline deadline);

    /**
     * Ends now; how many pieces of work are given up. Called only when draining was not enough, and again while it is not
     * over; the largest answer counts.
     */
    int abort();

    /** Counts and names what did not even end when aborted. */
    default int leaked() {
        return 0;
    }
}
