package dev.ron.edge.serve;

import io.netty.util.IllegalReferenceCountException;

/**
 * What was found on the pool, with a reference that the receiver gives back or passes on; {@code wasHere} where nothing
 * of it had to be read for that.
 */
sealed interface Loaded {

    /** Small enough for memory. */
    record Hot(HotObject object, boolean wasHere) implements Loaded {
        String status() {
            return wasHere ? HotObject.HIT : "edge; fwd=miss; stored";
        }
    }

    /** To be sent from its file. */
    record File(ServedFile file, boolean wasHere) implements Loaded {
        String status() {
            return wasHere ? HotObject.HIT : ServedFile.OPENED;
        }
    }

    /** There is no such thing. */
    record None() implements Loaded {}

    /** Takes one more reference; false if the last was given back. */
    default boolean hold() {
        try {
            switch (this) {
                case Hot(HotObject object, boolean _) -> object.hold();
                case File(ServedFile file, boolean _) -> file.retain();
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
            case Hot(HotObject object, boolean _) -> object.release();
            case File(ServedFile file, boolean _) -> file.release();
            case None _ -> {}
        }
    }
}
