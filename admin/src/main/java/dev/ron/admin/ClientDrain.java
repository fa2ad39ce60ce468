package dev.ron.admin;

import dev.ron.http.client.HttpClient;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;

/** Ends the calls to nodes when the samplers are to end: one that hangs must not hold up the stop. */
record ClientDrain(HttpClient client) implements Drainable {
    @Override
    public String name() {
        return "admin/calls";
    }

    @Override
    public Stage stage() {
        return Stage.WATCHERS;
    }

    @Override
    public boolean drain(Deadline deadline) {
        client.close();
        return true;
    }

    @Override
    public int abort() {
        client.close();
        return 0;
    }
}
