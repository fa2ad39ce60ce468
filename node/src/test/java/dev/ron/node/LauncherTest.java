package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher starts, keeps and throws away. */
@Timeout(60)
final class LauncherTest {
    @TempDir
    Path folder;

    private LauncherHome home;

    @BeforeEach
    void set() throws IOException {
        home = new LauncherHome(folder.resolve("home")).program("bin/setsid", "echo \"$@\" >>\"$CALLS/setsid.txt\"");
    }

    // no cache yet | up, in RAM or not  ->  one is made aside, but never where nothing is to be written
    @Test
    void aNodeThatWritesNothingHasNoCacheMadeAside() throws Exception {
        packaged();
        assertThat(cacheIsMade("", "up")).isTrue();
        assertThat(cacheIsMade("", "up --profile macro")).isTrue();
        assertThat(cacheIsMade("", "up --profile micro")).isFalse();
        assertThat(cacheIsMade("", "up --profile=micro")).isFalse();
        assertThat(cacheIsMade("", "up --set node.profile=micro")).isFalse();
        assertThat(cacheIsMade("RON__NODE__PROFILE=micro", "up")).isFalse();
        Files.writeString(home.at("small.toml"), "[node]\nprofile = \"micro\"\n");
        assertThat(cacheIsMade("", "up --config small.toml")).isFalse();
        assertThat(cacheIsMade("", "up")).isTrue();
        Files.move(home.at("small.toml"), home.at("ron.toml"));
        assertThat(cacheIsMade("", "up")).isFalse();
        assertThat(home.read("java.txt").lines()).hasSize(9).allMatch(line -> line.contains("ron.jar up"));
    }

    private boolean cacheIsMade(String settings, String args) throws Exception {
        Path called = home.at("setsid.txt");
        Files.deleteIfExists(called);
        home.ron(settings, args);
        // The launcher starts it aside and does not wait for it.
        for (int i = 0; i < 20 && !Files.exists(called); i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return Files.exists(called);
    }

    // a cache of another build, younger than the jar by its date | build  ->  gone
    @Test
    void aBuildRemovesTheCacheOfTheOneBefore() throws Exception {
        home.withJdk().program("bin/mvn", "mkdir -p node/target/dist && echo jar >node/target/dist/ron.jar");
        Path cache = home.at("node/target/dist/ron.aot");
        Files.createDirectories(cache.getParent());
        Files.writeString(cache, "of another build");
        Files.setLastModifiedTime(cache, FileTime.from(Instant.now().plusSeconds(3600)));
        home.ron("", "version");
        assertThat(cache).doesNotExist();
        assertThat(home.read("java.txt")).contains("ron.jar version").doesNotContain("AOTCache");
    }

    // nothing is built | two at once  ->  one builds, the other waits for it; both run
    @Test
    void twoAtOnceBuildOnce() throws Exception {
        assumeTrue(Shell.has("flock"), "skipped: flock is not here");
        home.withJdk()
                .program(
                        "bin/mvn",
                        "echo built >>\"$CALLS/mvn.txt\"; sleep 1; mkdir -p node/target/dist && echo jar >node/target/dist/ron.jar");
        home.ron("", "version & ./ron status; wait");
        assertThat(home.read("mvn.txt").lines()).hasSize(1);
        assertThat(home.read("java.txt")).contains("ron.jar version", "ron.jar status");
    }

    // a build goes on | Ctrl-C  ->  Maven, which the shell has put aside, ends too
    @Test
    void whoEndsTheLauncherEndsTheBuild() throws Exception {
        home.withJdk().program("bin/mvn", "echo $$ >mvn.part && mv mvn.part mvn.pid; exec sleep 300");
        Process launcher = new Shell(home.at("")).start(folder.resolve("said.txt"), home.line("exec", "version"));
        try {
            Eventually.await("it builds", () -> Files.exists(home.at("mvn.pid")));
            long maven = Long.parseLong(home.read("mvn.pid").strip());
            launcher.destroy();
            assertThat(launcher.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(ProcessHandle.of(maven).filter(ProcessHandle::isAlive)).isEmpty();
        } finally {
            Shell.end(launcher);
        }
    }

    // warm | up | up with another JDK  ->  kept and said; used; not used, and made anew
    @Test
    void theCacheIsForTheJdkThatMadeIt() throws Exception {
        packaged();
        assertThat(home.ron("", "warm")).contains("kept " + home.at("app/ron.aot"));
        home.ron("", "up");
        assertThat(home.read("java.txt")).contains("-XX:AOTCache=" + home.at("app/ron.aot"));
        assertThat(cacheIsMade("", "up")).isFalse();
        Files.delete(home.at("java.txt"));
        // An update may well be older than the cache, by its date.
        Files.setLastModifiedTime(
                home.at("runtime/release"), FileTime.from(Instant.now().minusSeconds(3600)));
        assertThat(cacheIsMade("", "up")).isTrue();
        assertThat(home.read("java.txt")).contains("ron.jar up").doesNotContain("AOTCache=");
    }

    @Test
    void aCacheThatCouldNotBeMadeIsAnErrorThatSaysWhy() throws Exception {
        packaged();
        Files.createDirectory(home.at("app/ron.aot.lock"));
        assertThatThrownBy(() -> home.ron("", "warm")).hasMessageContaining("ron.aot is being made already");
        Files.delete(home.at("app/ron.aot.lock"));
        home.program("runtime/bin/java", "echo no memory; exit 1");
        assertThatThrownBy(() -> home.ron("", "warm")).hasMessageContaining("could not be made\nno memory\n");
        home.program("bin/mkdir", "exit 1");
        assertThatThrownBy(() -> home.ron("", "warm")).hasMessageContaining("this account may not write");
        assertThat(home.at("app/ron.aot")).doesNotExist();
        assertThat(home.at("app/ron.aot.lock")).doesNotExist();
    }

    // eight processors | a container with a half, with two and a half, with no limit  ->  1, 3, 8
    @Test
    void theJvmIsToldNoMoreProcessorsThanAContainerMayUse() throws Exception {
        packaged();
        home.program("bin/nproc", "echo 8");
        String groups = folder.resolve("cgroup").toString();
        Files.writeString(home.at("ron"), home.read("ron").replace("/sys/fs/cgroup", groups));
        Path quota = Files.createDirectory(folder.resolve("cgroup")).resolve("cpu.max");
        assertThat(processors()).isEqualTo("8");
        Files.writeString(quota, "50000 100000\n");
        assertThat(processors()).isEqualTo("1");
        Files.writeString(quota, "250000 100000\n");
        assertThat(processors()).isEqualTo("3");
        Files.writeString(quota, "1600000 100000\n");
        assertThat(processors()).isEqualTo("8");
        Files.writeString(quota, "max 100000\n");
        assertThat(processors()).isEqualTo("8");
    }

    private String processors() throws Exception {
        home.ron("", "version");
        return home.read("java.txt").lines().toList().getLast().replaceFirst(".*ActiveProcessorCount=([0-9]+).*", "$1");
    }

    /** A distribution, as far as the launcher looks; its Java makes what it is told to make. */
    private void packaged() throws IOException {
        home.program("runtime/bin/java", """
                echo "$@" >>"$CALLS/java.txt"
                for arg; do case "$arg" in -XX:AOTCacheOutput=*) echo kept >"${arg#*=}" ;; esac; done""");
        Files.writeString(home.at("runtime/release"), "JAVA_VERSION=\"25\"\n");
        Path jar = Files.writeString(Files.createDirectories(home.at("app")).resolve("ron.jar"), "");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(3600)));
    }

    @Test
    void aTestFlagThatDoesNothingIsNoFlag() {
        assertThatThrownBy(() -> home.withJdk().program("bin/mvn", "").ron("", "test --peers"))
                .hasMessageContaining("--peers: unknown");
    }

    // a command of the launcher itself | --help  ->  explained, and not begun
    @Test
    void askingWhatACommandDoesDoesNotDoIt() throws Exception {
        home.withJdk()
                .program("bin/mvn", "mkdir -p node/target/dist && echo jar >node/target/dist/ron.jar")
                .program("bench/run", "echo measured >>\"$CALLS/begun.txt\"")
                .program("packaging/package", "echo packed >>\"$CALLS/begun.txt\"");
        for (String command : List.of("bench passport --help", "package -h", "test --help", "docs --help")) {
            home.ron("", command);
            assertThat(home.read("java.txt")).contains("ron.jar " + command);
        }
        assertThat(home.at("begun.txt")).doesNotExist();
        assertThat(home.at("target/.tests-started")).doesNotExist();
    }
}
