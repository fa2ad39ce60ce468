package dev.ron.edge.serve;

import io.netty.util.IllegalReferenceCountException;

/** What was found on the pool, with a reference that the receiver gives back or passes on. */
sealed interface Loaded {

    /** Small enough for memory. */
    record Hot(HotObject object) implements Loaded {}

    /** To be sent from its file. */
    record File(ServedFile file) implements Loaded {}

    /** There is no such thing. */
    record None() implements Loaded {}

    /** Takes one more reference; false if the last was given back. */
    default boolean hold() {
        try {
            switch (this) {
                case Hot(HotObject object) -> object.hold();
                case File(ServedFile file) -> file.retain();
                case None _ -> {
                    return false;
                }
            }
            return true;
        } catch (IllegalReferenceCountException _) {
            return false;
        }
    }

    default void release() {
        switch (this) {
            case Hot(HotObject object) -> object.release();
            case File(ServedFile file) -> file.release();
            case None _ -> {}
        }
    }
}
