package dev.ron.kernel.sync;

import dev.ron.kernel.topology.LockSpec;
import java.util.ArrayList;
import java.util.List;

/** The locks a thread holds, outermost first; it drives the order check and the blocking-point check. */
final class Held {
    private static final ThreadLocal<Held> CURRENT = ThreadLocal.withInitial(Held::new);

    private final List<LockSpec> stack = new ArrayList<>(4);

    static Held current() {
        return CURRENT.get();
    }

    boolean none() {
        return stack.isEmpty();
    }

    LockSpec innermost() {
        return stack.getLast();
    }

    void push(LockSpec lock) {
        stack.add(lock);
    }

    void pop() {
        stack.removeLast();
    }
}
