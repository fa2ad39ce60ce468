package dev.ron.node.cli;

/** A time in the two units that matter: {@code 3 d 4 h}, {@code 12 m 5 s}. */
final class Uptime {
    private Uptime() {}

    static String words(long seconds) {
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return seconds / 60 + " m " + seconds % 60 + " s";
        }
        return seconds < 86_400
                ? seconds / 3600 + " h " + seconds % 3600 / 60 + " m"
                : seconds / 86_400 + " d " + seconds % 86_400 / 3600 + " h";
    }
}
