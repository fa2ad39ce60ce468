package dev.ron.edge.pack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;

/** Which file this is (device and inode where there are any) and in which state: its size and when it was written. */
public record FileIdentity(String key, long size, FileTime modified) {

    public static FileIdentity of(Path path) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new IOException("not a regular file");
        }
        return new FileIdentity(
                Objects.toString(attributes.fileKey(), ""), attributes.size(), attributes.lastModifiedTime());
    }

    /** True if both are the same file, in whatever state. */
    public boolean sameFile(FileIdentity other) {
        return key.equals(other.key);
    }
}
