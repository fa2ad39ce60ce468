package dev.ron.gateway.auth;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A bounded queue that serves its keys in turn; when it is full, the longest line gives way. One thread's own. */
final class FairLine<K, T> {
    private final int capacity;
    private final Map<K, ArrayDeque<T>> lines = new LinkedHashMap<>(); // in the order of their turns
    private int size;

    FairLine(int capacity) {
        this.capacity = capacity;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Adds an item; returns who has no place now: null, the last of the longest line, or the item itself. */
    @Nullable
    T add(K key, T item) {
        T out = null;
        if (size == capacity) {
            ArrayDeque<T> longest = longest();
            ArrayDeque<T> own = lines.get(key);
            if (longest == null || longest.size() <= (own == null ? 0 : own.size()) + 1) {
                return item;
            }
            out = longest.pollLast();
            size--;
        }
        lines.computeIfAbsent(key, k -> new ArrayDeque<>(4)).add(item);
        size++;
        return out;
    }

    private @Nullable ArrayDeque<T> longest() {
        ArrayDeque<T> longest = null;
        for (ArrayDeque<T> line : lines.values()) {
            if (longest == null || line.size() > longest.size()) {
                longest = line;
            }
        }
        return longest;
    }

    /** The next item of the key whose turn it is. */
    @Nullable
    T poll() {
        Iterator<Map.Entry<K, ArrayDeque<T>>> turns = lines.entrySet().iterator();
        if (!turns.hasNext()) {
            return null;
        }
        Map.Entry<K, ArrayDeque<T>> first = turns.next();
        K key = first.getKey();
        ArrayDeque<T> line = first.getValue();
        turns.remove();
        T item = line.poll();
        if (!line.isEmpty()) {
            lines.put(key, line); // behind all others
        }
        size--;
        return item;
    }
}
