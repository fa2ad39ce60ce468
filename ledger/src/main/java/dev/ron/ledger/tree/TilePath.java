package dev.ron.ledger.tree;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name of a C2SP tlog-tiles tile: {@code tile/<L>/<N>[.p/<W>]}, or {@code tile/entries/<N>[.p/<W>]}. */
public record TilePath(int level, long index, int width) {
    /** The pseudo level of entry bundles. */
    public static final int ENTRIES = -1;

    public static final int FULL = TileRow.WIDTH;

    // One text per tile: no leading zeros, full tiles without a width, every index group of three digits.
    private static final Pattern FORM = Pattern.compile("tile/(entries|[0-9]|[1-5][0-9]|6[0-3])/"
            + "((?:x[0-9]{3}/)*[0-9]{3})(?:\\.p/([1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5]))?");

    public TilePath {
        if (level < ENTRIES || level > 63 || index < 0 || width < 1 || width > FULL) {
            throw new IllegalArgumentException("tile level " + level + " index " + index + " width " + width);
        }
    }

    public static TilePath parse(String text) throws Refused {
        Matcher matcher = FORM.matcher(text);
        if (text.length() > 64 || !matcher.matches()) {
            throw new Refused(Reason.MALFORMED, "tile path " + Quoted.of(text));
        }
        String digits = matcher.group(2).replace("x", "").replace("/", "");
        if (digits.length() > 18 || (digits.length() > 3 && digits.startsWith("000"))) {
            throw new Refused(Reason.MALFORMED, "tile path " + Quoted.of(text) + ": index out of form");
        }
        int level = matcher.group(1).equals("entries") ? ENTRIES : Integer.parseInt(matcher.group(1));
        int width = matcher.group(3) == null ? FULL : Integer.parseInt(matcher.group(3));
        return new TilePath(level, Long.parseLong(digits), width);
    }

    /** How many hashes (or entries) the tile has in a tree of the given size: 0 when it does not exist yet. */
    public static int widthAt(int level, long index, long treeSize) {
        int shift = 8 * Math.max(level, 0);
        long available = shift > 62 ? 0 : (treeSize >> shift) - index * FULL;
        return Math.clamp(available, 0, FULL);
    }

    /** Every tile, hash and entry, that is new or wider once a tree has grown; the files a checkpoint needs. */
    public static List<TilePath> grown(long oldSize, long newSize) {
        List<TilePath> paths = new ArrayList<>();
        for (int level = ENTRIES; level < 8 && (newSize >> (8 * Math.max(level, 0))) > 0; level++) {
            int shift = 8 * Math.max(level, 0);
            long end = newSize >> shift;
            for (long index = (oldSize >> shift) / FULL; index * FULL < end; index++) {
                int width = widthAt(level, index, newSize);
                if (width > widthAt(level, index, oldSize)) {
                    paths.add(new TilePath(level, index, width));
                }
            }
        }
        return List.copyOf(paths);
    }

    public boolean isFull() {
        return width == FULL;
    }

    @Override
    public String toString() {
        StringBuilder name = new StringBuilder(String.format(Locale.ROOT, "%03d", index % 1000));
        for (long rest = index / 1000; rest > 0; rest /= 1000) {
            name.insert(0, String.format(Locale.ROOT, "x%03d/", rest % 1000));
        }
        return "tile/" + (level == ENTRIES ? "entries" : String.valueOf(level)) + "/" + name
                + (isFull() ? "" : ".p/" + width);
    }
}
