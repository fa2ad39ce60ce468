package dev.ron.http.client.stream;

/** Something that delivers, and can be asked to wait. */
public interface Pausable {

    /** Stops delivering, and soon reading, until {@link #resume}. */
    void pause();

    void resume();
}
