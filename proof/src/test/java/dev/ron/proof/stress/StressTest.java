package dev.ron.proof.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The structures survive what hardware and compiler do to them; each broken twin does not. */
class StressTest {
    private static final boolean LONG = Boolean.getBoolean("ron.long");

    @TempDir
    Path folder;

    @Test
    void theStructuresShowNoForbiddenOutcome() throws Exception {
        Run run = run("dev.ron.proof.stress.(MailboxStress|CellsStress).*");
        assertThat(run.exit).as(run.output).isZero();
        assertThat(run.output).contains("7 passed");
    }

    @Test
    void everyBrokenTwinIsCaught() throws Exception {
        Set<String> twins = new TreeSet<>(
                Set.of("BrokenMailbox", "BrokenWatch", "BrokenBroadcast", "BrokenPermits", "BrokenSnapshot"));
        // A race needs two cores at the same moment, which a busy machine may not give in the first round.
        for (int round = 0; round < 6 && !twins.isEmpty(); round++) {
            Run run = run("dev.ron.proof.stress.BrokenTwins.(" + String.join("|", twins) + ")");
            twins.removeIf(twin ->
                    Pattern.compile("FAILED[^\\n]*" + twin).matcher(run.output).find());
        }
        assertThat(twins).as("broken, and nobody noticed").isEmpty();
    }

    private record Run(int exit, String output) {}

    /** The normal run has one JVM mode and two short rounds of each test; the long one has them all. */
    private Run run(String tests) throws IOException, InterruptedException {
        Path output = folder.resolve("out.txt");
        List<String> how = LONG
                ? List.of("-m", "default")
                : List.of(
                        "-f",
                        "1",
                        "-iters",
                        "2",
                        "-time",
                        "150",
                        "-sc",
                        "false",
                        "-af",
                        "NONE",
                        "-jvmArgs",
                        "-XX:-TieredCompilation");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-c",
                "2",
                "-t",
                tests,
                "-r",
                folder.resolve("report").toString()));
        command.addAll(how);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();
        return new Run(exit, Files.readString(output));
    }
}
