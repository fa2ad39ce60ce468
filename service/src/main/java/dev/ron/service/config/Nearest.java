package dev.ron.service.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the key or name a user most likely meant. */
public final class Nearest {
    private Nearest() {}

    public static Optional<String> to(String typed, Collection<String> known) {
        int limit = Math.max(2, typed.length() / 3);
        return known.stream()
                .filter(k -> distance(typed, k) <= limit && distance(typed, k) < k.length())
                .min(Comparator.<String>comparingInt(k -> distance(typed, k)).thenComparing(Comparator.naturalOrder()));
    }

    /** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + cost);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
