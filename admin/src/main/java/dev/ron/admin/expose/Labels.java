package dev.ron.admin.expose;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The labels of one sample; used again for the next one, so a sink copies what it keeps. */
public final class Labels {
    static final int MAX = 32;

    private final String[] names = new String[MAX];
    private final String[] values = new String[MAX];
    private int size;

    void clear() {
        size = 0;
    }

    /** False where there are too many. */
    boolean add(String name, String value) {
        if (size == MAX) {
            return false;
        }
        names[size] = name;
        values[size++] = value;
        return true;
    }

    public @Nullable String get(String name) {
        for (int i = 0; i < size; i++) {
            if (names[i].equals(name)) {
                return values[i];
            }
        }
        return null;
    }

    public String getOr(String name, String otherwise) {
        String value = get(name);
        return value == null ? otherwise : value;
    }

    public int size() {
        return size;
    }

    public String name(int i) {
        return names[i];
    }

    public String value(int i) {
        return values[i];
    }

    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            map.put(names[i], values[i]);
        }
        return map;
    }
}
