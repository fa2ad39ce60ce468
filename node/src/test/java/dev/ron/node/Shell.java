package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands as a person types them, in a folder, with what they say kept. */
final class Shell {
    private final Path folder;

    Shell(Path folder) {
        this.folder = folder;
    }

    /** Runs a line to its end, within the limit, and answers everything it said; it must succeed. */
    String run(Duration limit, String line) throws IOException, InterruptedException {
        Path said = Files.createTempFile("said", ".txt");
        Process process = start(said, line);
        try {
            assertThat(process.waitFor(limit.toSeconds(), TimeUnit.SECONDS))
                    .as("%s ended; it said %s", line, Files.readString(said))
                    .isTrue();
            String all = Files.readString(said);
            assertThat(process.exitValue()).as("%s said %s", line, all).isZero();
            return all;
        } finally {
            end(process);
            Files.delete(said);
        }
    }

    /** Starts a line that is to run on, such as a node. */
    Process start(Path said, String line) throws IOException {
        return new ProcessBuilder(List.of("bash", "-c", line))
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
    }

    static void end(Process process) throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }

    /** The commit under test, in a folder of its own with nothing else in it. */
    static Path freshClone(Path parent, String name) throws IOException, InterruptedException {
        Path source = Path.of("..").toAbsolutePath().normalize();
        new Shell(parent).run(Duration.ofMinutes(2), "git clone -q --no-hardlinks '" + source + "' " + name);
        return parent.resolve(name);
    }

    static boolean has(String program) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v " + program)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
