package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import dev.ron.node.data.Backup;
import dev.ron.node.data.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ron backup} and {@code ron restore}: a stopped node's data folder in one file, and back. */
abstract sealed class BackupCommand implements Runnable {
    @Mixin
    ConfigOptions options;

    @Parameters(paramLabel = "FILE", description = "the backup")
    Path file = Path.of("");

    @Spec
    CommandSpec spec;

    void say(String words) {
        spec.commandLine().getOut().println(words);
    }

    /** Keeps. */
    @Command(
            name = "backup",
            description = {
                "Write the data folder of a stopped node into one file.",
                "It holds keys: keep it as you keep the folder. Caches and profiles are left out."
            })
    static final class Write extends BackupCommand {
        @Override
        public void run() {
            if (Files.exists(file)) {
                throw new Stop(
                        ExitCode.NO, file + " is there already", "a backup replaces nothing", "choose another name");
            }
            Path data = options.dataFolder();
            if (!Files.isDirectory(data)) {
                throw new Stop(
                        ExitCode.NO, "no data folder at " + data, "there is nothing to keep", "say where: --data DIR");
            }
            try (DataFolder folder = DataFolder.open(data)) {
                Backup.Summary kept = Backup.write(folder, file);
                say("kept " + kept.files() + " files, " + kept.bytes() + " bytes, of " + data + " in " + file);
            } catch (IOException e) {
                throw new Stop(ExitCode.NO, "the backup failed", e.toString(), "nothing was written to " + file);
            }
        }
    }

    /** Brings back. */
    @Command(
            name = "restore",
            description = {
                "Bring a data folder back from a backup; the folder must be empty or not there.",
                "Every file is checked before the first is put in its place."
            })
    static final class Restore extends BackupCommand {
        @Override
        public void run() {
            Path data = options.dataFolder();
            try {
                Backup.Summary back = Backup.restore(file, data);
                say("brought back " + back.files() + " files, " + back.bytes() + " bytes, to " + data
                        + "; next: ron up");
            } catch (IOException e) {
                throw new Stop(
                        ExitCode.NO,
                        "cannot bring back " + file,
                        e instanceof Backup.DamagedBackup ? String.valueOf(e.getMessage()) : e.toString(),
                        "nothing was changed; give another backup, or an empty folder with --data DIR");
            }
        }
    }
}
