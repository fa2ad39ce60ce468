package dev.ron.edge.cas;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.digest.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** An object that is being collected in a file of its own, hashed as it comes. */
final class StagedFile implements Staged {
    private final Path path;
    private final FileChannel file;
    private final long maxBytes;
    private final Blake3 hash = new Blake3();
    private Optional<Digest> finished = Optional.empty();
    private long size;

    StagedFile(Path path, long maxBytes) throws IOException {
        this.path = path;
        this.maxBytes = maxBytes;
        this.file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public void write(ByteBuffer bytes) {
        if (bytes.remaining() > maxBytes - size) {
            throw CasErrors.tooLarge(maxBytes);
        }
        hash.update(bytes.duplicate());
        try {
            while (bytes.hasRemaining()) {
                size += file.write(bytes);
            }
        } catch (IOException e) {
            throw CasErrors.io("write an object", e);
        }
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public Digest finish() {
        if (finished.isPresent()) {
            return finished.get();
        }
        try {
            file.close();
        } catch (IOException e) {
            throw CasErrors.io("write an object", e);
        }
        Digest digest = hash.finish();
        finished = Optional.of(digest);
        return digest;
    }

    /** Gives the finished file its name: the one moment at which the blob appears, whole. */
    void moveTo(Path blob) throws IOException {
        Files.createDirectories(blob.resolveSibling("."));
        Files.move(path, blob, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() {
        try {
            file.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw CasErrors.io("remove a temporary file", e);
        }
    }
}
