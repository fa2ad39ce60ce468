package dev.ron.gateway.arbiter;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A caller that remembers what it heard, and how often. */
final class Recorder implements Caller {
    final AtomicInteger answers = new AtomicInteger();
    volatile @Nullable Slot slot;
    volatile @Nullable Refusal refusal;

    @Override
    public void granted(Slot granted) {
        slot = granted;
        answers.incrementAndGet();
    }

    @Override
    public void refused(Refusal why) {
        refusal = why;
        answers.incrementAndGet();
    }

    boolean running() {
        return slot != null;
    }

    Slot held() {
        Slot held = slot;
        if (held == null) {
            throw new AssertionError("not granted");
        }
        return held;
    }
}
