package dev.ron.http.client.stream;

/** One connection's place among those of its endpoint, given back once; on the connection's loop. */
final class Place {
    private final Endpoint endpoint;
    private boolean given;

    Place(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    void giveBack() {
        if (!given) {
            given = true;
            endpoint.freed();
        }
    }

    boolean given() {
        return given;
    }
}
