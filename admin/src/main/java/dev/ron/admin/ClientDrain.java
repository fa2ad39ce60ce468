package dev.ron.admin;

import dev.ron.http.client.HttpClient;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;

/** Ends the calls of a client when those who make them are to end: one that hangs must not hold up the stop. */
record ClientDrain(String purpose, HttpClient client, ClientTls tls) implements Drainable {
    @Override
    public String name() {
        return "admin/" + purpose;
    }

    @Override
    public Stage stage() {
        return Stage.WATCHERS;
    }

    @Override
    public boolean drain(Deadline deadline) {
        close();
        return true;
    }

    @Override
    public int abort() {
        close();
        return 0;
    }

    private void close() {
        client.close();
        tls.close();
    }
}
