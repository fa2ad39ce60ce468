package dev.ron.edge.serve;

/** What was found on the pool, with a reference that the receiver gives back or passes on. */
sealed interface Loaded {

    /** Small enough for memory. */
    record Hot(HotObject object) implements Loaded {}

    /** To be sent from its file. */
    record File(ServedFile file) implements Loaded {}

    /** There is no such thing. */
    record None() implements Loaded {}

    default void release() {
        switch (this) {
            case Hot(HotObject object) -> object.release();
            case File(ServedFile file) -> file.release();
            case None _ -> {}
        }
    }
}
