package dev.ron.node.fsck;

import dev.ron.edge.digest.Blake3;
import dev.ron.node.Findings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Hashes every object of the edge's store: its name says what must come out. */
final class CasCheck implements Fsck.Part {
    private static final int PIECE = 256 << 10;

    @Override
    public void check(Path folder, Findings findings) throws IOException {
        Path blobs = folder.resolve("b3");
        List<Path> files = List.of();
        if (Files.isDirectory(blobs)) {
            try (Stream<Path> all = Files.walk(blobs)) {
                files = all.filter(Files::isRegularFile).sorted().toList();
            }
        }
        long damaged = 0;
        for (Path file : files) {
            if (!hash(file).equals(file.getFileName().toString())) {
                damaged++;
                findings.bad(
                        "edge cas",
                        blobs.relativize(file) + " is not what its name says",
                        "delete it: the edge fetches it again");
            }
        }
        if (damaged == 0) {
            findings.ok("edge cas", files.size() + " objects, each is what its name says");
        }
    }

    private static String hash(Path file) throws IOException {
        Blake3 hash = new Blake3();
        byte[] piece = new byte[PIECE];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                hash.update(piece, 0, n);
            }
        }
        return hash.finish().hex();
    }
}
