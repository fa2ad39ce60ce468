package dev.ron.kernel.task;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;

/** Something that must end in its stage of a shutdown. */
public interface Drainable {

    String name();

    Stage stage();

    /** Ends gracefully; true when nothing is left before the deadline. May wait. */
    boolean drain(Deadline deadline);

    /** Ends now; how many pieces of work were given up. Called only when draining was not enough, perhaps repeatedly. */
    int abort();
}
