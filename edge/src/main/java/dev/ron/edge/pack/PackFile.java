package dev.ron.edge.pack;

import dev.ron.kernel.sync.Blocking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One open file, read by position, that can tell whether it is still what was opened.
 *
 * <p>After each read the path is looked at again. The same file in another state was overwritten: the bytes just read
 * are thrown away. Another file, or none, is a replacement by rename: ours lives on without a name, nobody can open it
 * for writing any more, and its readers go on. That is why packs are replaced by rename.
 *
 * <p>An interrupt closes a {@link FileChannel} for all its readers. Reads therefore hide a pending interrupt, and where
 * one strikes in mid-read the file is opened again, if it is still the same.
 */
public final class PackFile implements AutoCloseable {
    private final Path path;
    private final String name;
    private final FileIdentity identity;
    private final AtomicReference<FileChannel> channel;
    private volatile boolean closed;

    private PackFile(Path path, String name, FileIdentity identity, FileChannel channel) {
        this.path = path;
        this.name = name;
        this.identity = identity;
        this.channel = new AtomicReference<>(channel);
    }

    public static PackFile open(Path path) {
        String name = String.valueOf(path.getFileName());
        try {
            FileIdentity before = FileIdentity.of(path);
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
            PackFile file = new PackFile(path, name, before, channel);
            try {
                file.checkUnchanged(FileIdentity.of(path));
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
            return file;
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    /** Another channel to the same file, for a use of its own; the caller closes it. None once the file lost its name. */
    public Optional<FileChannel> openAgain() {
        boolean named = false;
        try {
            FileChannel another = FileChannel.open(path, StandardOpenOption.READ);
            try {
                checkStillOurs();
                named = FileIdentity.of(path).equals(identity);
                return named ? Optional.of(another) : Optional.empty();
            } finally {
                if (!named) {
                    another.close();
                }
            }
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    public String name() {
        return name;
    }

    public Path path() {
        return path;
    }

    public FileIdentity identity() {
        return identity;
    }

    public long size() {
        return identity.size();
    }

    /** Reads exactly {@code length} bytes at {@code offset}; both were checked against their own section before. */
    public byte[] read(long offset, int length) {
        ByteBuffer into = ByteBuffer.allocate(length);
        read(offset, into);
        return into.array();
    }

    /** Fills the buffer from {@code offset}, or throws: never a short read, never bytes of another state. */
    public void read(long offset, ByteBuffer into) {
        Blocking.enter("reading a file");
        int length = into.remaining();
        // Written so that it cannot overflow.
        if (offset < 0 || length > size() || offset > size() - length) {
            throw new PackError(
                    PackFault.TRUNCATED,
                    name + ": " + length + " bytes at " + offset + " (expected: inside its " + size() + " bytes)");
        }
        boolean interrupted = Thread.interrupted();
        try {
            int start = into.position();
            while (!tryRead(offset, into)) {
                into.position(start);
                interrupted |= Thread.interrupted();
            }
            checkStillOurs();
        } catch (IOException e) {
            throw unreadable(name, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** False if an interrupt closed the channel under the read and it has been opened again. */
    private boolean tryRead(long offset, ByteBuffer into) throws IOException {
        FileChannel current = channel.get();
        try {
            long at = offset;
            while (into.hasRemaining()) {
                int n = current.read(into, at);
                if (n < 0) {
                    throw overwritten("it ends at " + at);
                }
                at += n;
            }
            return true;
        } catch (ClosedByInterruptException _) {
            // This read's thread was interrupted; the flag is set and must be cleared before opening again.
            boolean _ = Thread.interrupted();
            reopen(current);
            Thread.currentThread().interrupt();
            return false;
        } catch (ClosedChannelException e) {
            if (closed) {
                throw e;
            }
            reopen(current);
            return false;
        }
    }

    /** Replaces a channel that an interrupt closed; of several readers that try, one wins and the others use its. */
    private void reopen(FileChannel dead) throws IOException {
        if (!dead.equals(channel.get())) {
            return;
        }
        FileChannel fresh = FileChannel.open(path, StandardOpenOption.READ);
        boolean used = false;
        try {
            if (!FileIdentity.of(path).equals(identity)) {
                throw overwritten("it was replaced while its channel was closed by an interrupt");
            }
            used = channel.compareAndSet(dead, fresh);
        } finally {
            if (!used) {
                fresh.close();
            }
        }
        if (used && closed) {
            fresh.close();
        }
    }

    /** Throws if the open file was overwritten since it was opened. */
    public void checkStillOurs() throws IOException {
        FileIdentity now;
        try {
            now = FileIdentity.of(path);
        } catch (NoSuchFileException _) {
            return;
        }
        if (now.sameFile(identity)) {
            checkUnchanged(now);
        }
    }

    /** Throws unless the path still names this very file: for who has just opened it once more by its name. */
    public void checkStillNamed() throws IOException {
        if (!FileIdentity.of(path).equals(identity)) {
            throw new PackError(
                    PackFault.OVERWRITTEN, name + " was replaced while it was being mounted; it will be tried again");
        }
    }

    private void checkUnchanged(FileIdentity now) {
        if (!now.equals(identity)) {
            throw overwritten("size " + identity.size() + " is now " + now.size() + ", written at " + now.modified());
        }
    }

    private PackError overwritten(String how) {
        return new PackError(
                PackFault.OVERWRITTEN, name + " was overwritten while mounted (" + how + "); replace packs by rename");
    }

    private static PackError unreadable(String name, IOException e) {
        // The exception's message may hold the folder; its class says enough to a caller, the log has the rest.
        return new PackError(
                PackFault.UNREADABLE, name + " cannot be read: " + e.getClass().getSimpleName(), e);
    }

    @Override
    public void close() {
        closed = true;
        try {
            channel.get().close();
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }
}
