package dev.ron.node.data;

import dev.ron.http.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * A data folder in one file, and back again.
 *
 * <p>The last entry lists every file with its mode and SHA-256; none takes its place before each of them was found as
 * listed. What a node can get again (its cache of fills, its profiles) is left out.
 */
public final class Backup {
    private static final String LIST = "ron-backup.json";
    /** What a file system puts into the root of a volume. */
    private static final String LOST_AND_FOUND = "lost+found";

    private static final Set<String> LEFT_OUT = Set.of("ron.lock", LOST_AND_FOUND, "profiles", "edge/cas", "edge/tmp");
    private static final Set<String> IN_NOBODYS_WAY = Set.of("ron.lock", LOST_AND_FOUND);
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /** What the file says about itself. */
    record Listing(int format, List<Kept> files) {}

    /** One file. */
    record Kept(String path, long size, String mode, String sha256) {}

    /** What was kept or brought back. */
    public record Summary(int files, long bytes) {}

    private Backup() {}

    /** Writes a folder that nobody uses into a new file, whole or not at all. */
    public static Summary write(DataFolder folder, Path file) throws IOException {
        Path root = folder.root();
        Path beside = file.toAbsolutePath().resolveSibling("").toRealPath();
        if (beside.startsWith(root.toRealPath())) {
            throw new IOException(file + " is inside of the folder that it shall hold");
        }
        Path temp = Files.createTempFile(beside, "backup", ".tmp", OWNER_ONLY);
        List<Kept> kept = new ArrayList<>();
        try {
            try (OutputStream raw = Files.newOutputStream(temp);
                    ZipOutputStream zip = new ZipOutputStream(raw)) {
                for (Path path : files(root)) {
                    kept.add(add(root, path, zip));
                }
                zip.putNextEntry(new ZipEntry(LIST));
                zip.write(JsonMapper.shared().writeValueAsBytes(new Listing(1, kept)));
                zip.closeEntry();
            }
            sync(temp);
            Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temp);
        }
        return summary(kept);
    }

    // Links are followed, the folder's own too: what the node reads is what is kept, wherever it lies.
    private static List<Path> files(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(root, Set.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return leftOut(folder) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (leftOut(file)) {
                    return FileVisitResult.CONTINUE;
                }
                if (!attributes.isRegularFile()) {
                    throw new IOException(file + " is neither a file nor a folder, nor a link to one");
                }
                files.add(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (leftOut(file)) { // lost+found is often readable by root only
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            private boolean leftOut(Path path) {
                return LEFT_OUT.contains(root.relativize(path).toString());
            }
        });
        files.sort(Comparator.naturalOrder());
        return files;
    }

    private static Kept add(Path root, Path path, ZipOutputStream zip) throws IOException {
        String name = root.relativize(path).toString();
        MessageDigest digest = sha256();
        zip.putNextEntry(new ZipEntry(name));
        long size;
        try (InputStream in = new DigestInputStream(Files.newInputStream(path), digest)) {
            size = in.transferTo(zip);
        }
        zip.closeEntry();
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        return new Kept(name, size, mode, HexFormat.of().formatHex(digest.digest()));
    }

    /** Brings a folder back to where nothing is yet: to no folder, or to an empty one, which may be a volume or a link. */
    public static Summary restore(Path file, Path target) throws IOException {
        boolean made = !Files.exists(target);
        try (ZipFile zip = new ZipFile(file.toFile())) {
            Listing listing = listing(zip);
            try (DataFolder folder = DataFolder.openToRestore(target)) {
                fill(folder, zip, listing, made);
            }
            return summary(listing.files());
        }
    }

    // Everything happens inside of the folder: its parent may be read-only, and a mounted folder cannot be replaced.
    // The folder of fresh files marks it as unfinished from the first byte to the last rename, and DataFolder.open
    // refuses it meanwhile; so whatever lies beside that mark was put there by a restore that did not come to its end.
    private static void fill(DataFolder folder, ZipFile zip, Listing listing, boolean made) throws IOException {
        Path root = folder.root();
        Path fresh = root.resolve(DataFolder.RESTORING);
        if (!Files.exists(fresh) && !inside(root).isEmpty()) {
            throw new DamagedBackup(root + " is there already and not empty");
        }
        boolean done = false;
        try {
            empty(root);
            Files.createDirectory(fresh, OWNER_FOLDER);
            for (Kept kept : listing.files()) {
                bringBack(zip, kept, fresh);
            }
            folder.giveToOwner(fresh);
            syncFolders(fresh);
            sync(root);
            for (Path child : inside(fresh)) {
                Files.move(child, root.resolve(child.getFileName()), StandardCopyOption.ATOMIC_MOVE);
            }
            sync(root);
            Files.delete(fresh);
            sync(root);
            done = true;
        } finally {
            if (!done) {
                empty(root);
            }
            if (!done && made) {
                DataFolder.delete(root);
            }
        }
    }

    private static List<Path> inside(Path folder) throws IOException {
        try (Stream<Path> inside = Files.list(folder)) {
            return inside.filter(
                            path -> !IN_NOBODYS_WAY.contains(path.getFileName().toString()))
                    .toList();
        }
    }

    /** Takes out what an unfinished restore left, its mark last. */
    private static void empty(Path root) throws IOException {
        Path mark = root.resolve(DataFolder.RESTORING);
        for (Path path : inside(root)) {
            if (!path.equals(mark)) {
                DataFolder.delete(path);
            }
        }
        DataFolder.delete(mark);
    }

    private static void syncFolders(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path folder : all.filter(Files::isDirectory).toList()) {
                sync(folder);
            }
        }
    }

    private static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Listing listing(ZipFile zip) throws IOException {
        ZipEntry entry = zip.getEntry(LIST);
        if (entry == null) {
            throw new DamagedBackup("it has no " + LIST + ", so it is not a whole backup of RON");
        }
        try (InputStream in = zip.getInputStream(entry)) {
            Listing listing = new StrictJson().read(in.readAllBytes(), Listing.class);
            if (listing.format() != 1) {
                throw new DamagedBackup("its format is " + listing.format() + "; this RON reads format 1");
            }
            return listing;
        }
    }

    private static void bringBack(ZipFile zip, Kept kept, Path root) throws IOException {
        Path path = root.resolve(kept.path()).normalize();
        ZipEntry entry = zip.getEntry(kept.path());
        if (entry == null || !path.startsWith(root) || path.equals(root)) {
            throw new DamagedBackup(kept.path() + " is listed but is not in it, or leads outside of the folder");
        }
        Files.createDirectories(path.getParent(), OWNER_FOLDER);
        MessageDigest digest = sha256();
        try (InputStream in = zip.getInputStream(entry);
                OutputStream out = new DigestOutputStream(Files.newOutputStream(path), digest)) {
            in.transferTo(out);
        }
        if (!kept.sha256().equals(HexFormat.of().formatHex(digest.digest()))) {
            throw new DamagedBackup(kept.path() + " is not what was backed up: its SHA-256 differs");
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(kept.mode()));
        sync(path);
    }

    private static Summary summary(List<Kept> kept) {
        return new Summary(kept.size(), kept.stream().mapToLong(Kept::size).sum());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** A backup that cannot be brought back, and why. */
    public static final class DamagedBackup extends IOException {
        private static final long serialVersionUID = 1L;

        DamagedBackup(String why) {
            super(why);
        }
    }
}
