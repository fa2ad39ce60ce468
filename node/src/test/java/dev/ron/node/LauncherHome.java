package dev.ron.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/** A folder with the real launcher in it, and around it programs that only write down how they were called. */
final class LauncherHome {
    private final Path folder;

    LauncherHome(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        Files.copy(Path.of("../ron"), folder.resolve("ron"));
        Files.writeString(folder.resolve("pom.xml"), "<version>0</version>");
    }

    /** A JDK 25, as far as the launcher looks, that notes each call in {@code java.txt}. */
    LauncherHome withJdk() throws IOException {
        program("jdk/bin/java", "echo \"$@\" >>\"$CALLS/java.txt\"");
        program("jdk/bin/javac", "");
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        return this;
    }

    /** A program of this folder; those under {@code bin} come before the machine's own. */
    LauncherHome program(String name, String body) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of("#!/bin/sh", body));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return this;
    }

    Path at(String name) {
        return folder.resolve(name);
    }

    String read(String name) throws IOException {
        return Files.readString(at(name));
    }

    /** Runs {@code ./ron} with these arguments, after these settings of the environment. */
    String ron(String settings, String args) throws IOException, InterruptedException {
        return new Shell(folder).run(Duration.ofSeconds(30), line(settings, args));
    }

    /** What a shell in this folder is to run for that. */
    String line(String settings, String args) {
        return "unset RON__NODE__PROFILE RON_AOT; export CALLS=. RON_JAVA_HOME=$PWD/jdk PATH=$PWD/bin:$PATH; "
                + settings + " ./ron " + args;
    }
}
