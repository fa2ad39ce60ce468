package dev.ron.proof.model;

import dev.ron.kernel.channel.Sent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a mailbox is, one operation after the other. */
abstract class BoundedQueueSpec {
    private final int capacity;
    private final boolean dropOldest;
    private final Deque<Integer> items = new ArrayDeque<>();
    private boolean closed;

    BoundedQueueSpec(int capacity, boolean dropOldest) {
        this.capacity = capacity;
        this.dropOldest = dropOldest;
    }

    public String send(int item) {
        if (closed) {
            return Sent.CLOSED.name();
        }
        String answer = Sent.ACCEPTED.name();
        if (items.size() == capacity) {
            if (!dropOldest) {
                return Sent.FULL.name();
            }
            answer += " for " + items.removeFirst();
        }
        items.addLast(item);
        return answer;
    }

    public @Nullable Integer receive() {
        return items.pollFirst();
    }

    public void close() {
        closed = true;
    }

    public List<Integer> drain() {
        closed = true;
        List<Integer> rest = new ArrayList<>(items);
        items.clear();
        return rest;
    }

    public boolean finished() {
        return closed && items.isEmpty();
    }
}
