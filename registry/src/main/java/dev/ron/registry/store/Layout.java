package dev.ron.registry.store;

import dev.ron.registry.disk.Disk;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The files of a log on disk. */
final class Layout {
    private Layout() {}

    /** One file; {@code first} is the sequence in its name. */
    record Piece(long first, String suffix) {
        String name() {
            return Segment.name(first, suffix);
        }
    }

    /** Of a whole file and its skeleton, which a crash while pruning leaves both, the skeleton. */
    static List<Piece> pieces(Disk disk) throws IOException {
        TreeMap<Long, Piece> pieces = new TreeMap<>();
        disk.list(Segment.FOLDER).stream()
                .flatMap(name -> piece(name).stream())
                .forEach(piece -> pieces.merge(
                        piece.first(), piece, (one, other) -> one.suffix().equals(Segment.SKELETON) ? one : other));
        return List.copyOf(pieces.values());
    }

    private static Optional<Piece> piece(String name) {
        return Segment.first(name).map(first -> new Piece(first, name.substring(name.lastIndexOf('.'))));
    }

    /** Ends what a crash interrupted: half-written files go, and a segment goes whose skeleton is there. */
    static void settle(Disk disk) throws IOException {
        boolean changed = false;
        Set<Long> skeletons = new HashSet<>();
        for (Piece piece : pieces(disk)) {
            if (piece.suffix().equals(Segment.SKELETON)) {
                skeletons.add(piece.first());
            }
        }
        for (String name : disk.list(Segment.FOLDER)) {
            boolean replaced = name.endsWith(Segment.WHOLE)
                    && Segment.first(name).filter(skeletons::contains).isPresent();
            if (name.endsWith(".tmp") || replaced) {
                disk.delete(Segment.FOLDER + "/" + name);
                changed = true;
            }
        }
        if (changed) {
            disk.syncFolder(Segment.FOLDER);
        }
    }
}
