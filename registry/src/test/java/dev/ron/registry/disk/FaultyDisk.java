package dev.ron.registry.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that fails in every way a disk can: power cuts that lose, tear and reorder what was not synced, no
 * space, failing syncs, flipped bits, slow syncs. Several threads may use it at once, and a slow sync holds up only its own.
 */
public final class FaultyDisk implements Disk {
    private static final int SECTOR = 512;

    private final TreeMap<String, Inode> names = new TreeMap<>();
    private final TreeMap<String, Inode> durableNames = new TreeMap<>();
    private final List<Runnable> folderChanges = new ArrayList<>();
    private int operations;
    private int cutAt = Integer.MAX_VALUE;
    private long capacity = Long.MAX_VALUE;
    private int failingSyncs;
    private int syncs;
    private int reads;
    private volatile Consumer<String> onSync = name -> {};
    private volatile Predicate<String> failing = name -> false;
    private volatile Predicate<String> failingFolders = name -> false;
    private boolean locked;

    /** The machine stops here. */
    public static final class PowerCut extends Error {
        private static final long serialVersionUID = 1L;

        PowerCut(int operation) {
            super("power cut at operation " + operation, null, false, false);
        }
    }

    /** What of the writes that were not synced is there after a power cut. */
    public enum Survivors {
        /** Nothing: the cache was lost. */
        NONE,
        /** Everything: only the process died. */
        ALL,
        /** Any sectors, in any order. */
        SOME
    }

    private static final class Inode {
        byte[] now = new byte[0];
        byte[] durable = new byte[0];
        final List<Change> pending = new ArrayList<>();
    }

    /** A write of bytes, or a new size where there are none. */
    private static final class Change {
        final long position;
        final byte @Nullable [] bytes;

        Change(long position, byte @Nullable [] bytes) {
            this.position = position;
            this.bytes = bytes;
        }
    }

    /** Cuts the power at the n-th operation from now on; a write is then half done. */
    public synchronized void cutAfter(int n) {
        cutAt = operations + n;
    }

    public synchronized int operations() {
        return operations;
    }

    public synchronized int syncs() {
        return syncs;
    }

    public synchronized int reads() {
        return reads;
    }

    public synchronized void capacity(long bytes) {
        capacity = bytes;
    }

    public synchronized void failSyncs(int count) {
        failingSyncs = count;
    }

    public void onSync(Runnable hook) {
        onSync = name -> hook.run();
    }

    /** Is told the name of each file before it is synced. */
    public void onSyncOf(Consumer<String> hook) {
        onSync = hook;
    }

    /** Syncs of files for which this holds fail. */
    public void failSyncsOf(Predicate<String> which) {
        failing = which;
    }

    /** Syncs of folders for which this holds fail. */
    public void failFolderSyncsOf(Predicate<String> which) {
        failingFolders = which;
    }

    public synchronized long used() {
        return names.values().stream().mapToLong(inode -> inode.now.length).sum();
    }

    /** Turns one bit, on the platter and in the cache. */
    public synchronized void flip(String name, long at, int bit) {
        Inode inode = inode(name);
        inode.now[(int) at] ^= (byte) (1 << bit);
        if (at < inode.durable.length) {
            inode.durable[(int) at] = inode.now[(int) at];
        }
    }

    public synchronized byte[] content(String name) {
        return inode(name).now.clone();
    }

    /** The same disk when the machine is on again. */
    public synchronized FaultyDisk afterCut(Survivors survivors, Random random) {
        if (survivors == Survivors.ALL) {
            folderChanges.forEach(Runnable::run);
        } else if (survivors == Survivors.SOME) {
            // The journal of a file system keeps their order.
            folderChanges.subList(0, random.nextInt(folderChanges.size() + 1)).forEach(Runnable::run);
        }
        FaultyDisk next = new FaultyDisk();
        Map<Inode, Inode> copies = new HashMap<>();
        durableNames.forEach((name, inode) -> {
            Inode copy = copies.computeIfAbsent(inode, old -> survivor(old, survivors, random));
            next.names.put(name, copy);
            next.durableNames.put(name, copy);
        });
        return next;
    }

    private static Inode survivor(Inode old, Survivors survivors, Random random) {
        Inode copy = new Inode();
        copy.now = old.durable.clone();
        for (Change change : old.pending) {
            switch (survivors) {
                case NONE -> {}
                case ALL -> apply(copy, change);
                case SOME -> applySome(copy, change, random);
            }
        }
        copy.durable = copy.now.clone();
        return copy;
    }

    private static void applySome(Inode inode, Change change, Random random) {
        byte[] bytes = change.bytes;
        if (bytes == null) {
            if (random.nextBoolean()) {
                apply(inode, change);
            }
            return;
        }
        for (int at = 0; at < bytes.length; ) {
            // Sectors of the disk, not of the write.
            int end = (int) Math.min(bytes.length, (change.position + at) / SECTOR * SECTOR + SECTOR - change.position);
            if (random.nextBoolean()) {
                apply(inode, new Change(change.position + at, Arrays.copyOfRange(bytes, at, end)));
            }
            at = end;
        }
    }

    private static void apply(Inode inode, Change change) {
        inode.now = applied(inode.now, change);
    }

    /** The content after a change, in the same array where it fits. */
    private static byte[] applied(byte[] content, Change change) {
        byte[] bytes = change.bytes;
        if (bytes == null) {
            return Arrays.copyOf(content, (int) change.position);
        }
        int end = (int) change.position + bytes.length;
        byte[] after = end > content.length ? Arrays.copyOf(content, end) : content;
        System.arraycopy(bytes, 0, after, (int) change.position, bytes.length);
        return after;
    }

    private boolean operation() {
        operations++;
        return operations >= cutAt;
    }

    private void step() {
        if (operation()) {
            throw new PowerCut(operations);
        }
    }

    private Inode inode(String name) {
        Inode inode = names.get(name);
        if (inode == null) {
            throw new IllegalArgumentException("no file " + name);
        }
        return inode;
    }

    @Override
    public synchronized DiskFile open(String name) throws IOException {
        Inode known = names.get(name);
        if (known == null) {
            step();
            Inode made = new Inode();
            names.put(name, made);
            folderChanges.add(() -> durableNames.put(name, made));
            known = made;
        }
        return new Open(name, known);
    }

    @Override
    public synchronized boolean exists(String name) {
        return names.containsKey(name);
    }

    @Override
    public synchronized List<String> list(String folder) {
        String prefix = folder.isEmpty() ? "" : folder + "/";
        return names.keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()))
                .filter(name -> !name.contains("/"))
                .toList();
    }

    @Override
    public synchronized void rename(String from, String to) {
        step();
        Inode moved = inode(from);
        names.remove(from);
        names.put(to, moved);
        folderChanges.add(() -> {
            durableNames.remove(from);
            durableNames.put(to, moved);
        });
    }

    @Override
    public synchronized void delete(String name) {
        step();
        names.remove(name);
        folderChanges.add(() -> durableNames.remove(name));
    }

    @Override
    public synchronized void syncFolder(String folder) throws IOException {
        step();
        if (failingFolders.test(folder)) {
            throw new IOException("Input/output error");
        }
        folderChanges.forEach(Runnable::run);
        folderChanges.clear();
    }

    @Override
    public synchronized long freeBytes() {
        return capacity == Long.MAX_VALUE ? capacity : Math.max(0, capacity - used());
    }

    @Override
    public synchronized AutoCloseable lock(String name) throws IOException {
        if (locked) {
            throw new Held("another process");
        }
        locked = true;
        return () -> locked = false;
    }

    private final class Open implements DiskFile {
        private final String name;
        private final Inode inode;

        Open(String name, Inode inode) {
            this.name = name;
            this.inode = inode;
        }

        @Override
        public void read(ByteBuffer into, long position) {
            synchronized (FaultyDisk.this) {
                reads++;
                int count = (int) Math.min(into.remaining(), Math.max(0, inode.now.length - position));
                into.put(inode.now, (int) position, count);
            }
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            byte[] bytes = new byte[from.remaining()];
            from.get(bytes);
            synchronized (FaultyDisk.this) {
                write(bytes, position);
            }
        }

        private void write(byte[] bytes, long position) throws IOException {
            boolean cut = operation();
            long room = capacity - used() + inode.now.length - position;
            if (bytes.length > room) {
                change(new Change(position, Arrays.copyOf(bytes, (int) Math.max(0, room))));
                throw new NoSpace(name);
            }
            change(new Change(position, cut ? Arrays.copyOf(bytes, bytes.length / 2) : bytes));
            if (cut) {
                throw new PowerCut(operations);
            }
        }

        private void change(Change change) {
            apply(inode, change);
            inode.pending.add(change);
        }

        @Override
        public void truncate(long size) {
            synchronized (FaultyDisk.this) {
                step();
                if (size < inode.now.length) {
                    change(new Change(size, null));
                }
            }
        }

        @Override
        public void sync() throws IOException {
            begin();
            onSync.accept(name);
            end();
        }

        private void begin() {
            synchronized (FaultyDisk.this) {
                step();
                syncs++;
            }
        }

        private void end() throws IOException {
            synchronized (FaultyDisk.this) {
                finish();
            }
        }

        private void finish() throws IOException {
            if (failingSyncs > 0 || failing.test(name)) {
                failingSyncs = Math.max(0, failingSyncs - 1);
                // What the system could not write it forgets, and calls the next sync good.
                inode.pending.clear();
                throw new IOException("Input/output error");
            }
            // What it forgot stays lost: a good sync writes only what was written since.
            for (Change change : inode.pending) {
                inode.durable = applied(inode.durable, change);
            }
            inode.pending.clear();
        }

        @Override
        public long size() {
            synchronized (FaultyDisk.this) {
                return inode.now.length;
            }
        }

        @Override
        public void close() {}
    }
}
