package dev.ron.node.cli;

import dev.ron.ledger.Refused;
import dev.ron.ledger.model.Signer;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import dev.ron.registry.keys.SignerKey;
import dev.ron.service.config.Secret;
import java.io.Console;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Signers' key files and the passphrase that opens them. */
final class SignerKeyFile {
    private static final String GIVE_PASSPHRASE = "give one: --passphrase-file FILE or RON_PASSPHRASE";

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description =
                    "opens key files (else RON_PASSPHRASE, else the file `passphrase` beside the key, else asked)")
    @Nullable
    Path passphraseFile;

    SignerKey open(Path file) {
        try {
            return SignerKey.open(read(file), passphrase(file, false));
        } catch (Refused e) {
            throw new Stop(ExitCode.NO, "cannot open " + file, e.detail(), "say what opens it: --passphrase-file FILE");
        }
    }

    static Signer publicPart(Path file) {
        try {
            return SignerKey.publicPart(read(file));
        } catch (Refused e) {
            throw new Stop(
                    ExitCode.NO, file + " is not a key file", e.detail(), "name one that ron registry key has made");
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new Stop(ExitCode.NO, "cannot read " + file, e.toString(), "say which key: --key FILE");
        }
    }

    /** Ends the command where a new key would take another's place. */
    static void mustBeNew(Path file, String whatToDo) {
        if (Files.exists(file)) {
            throw new Stop(
                    ExitCode.NO, file + " is there already", "it may hold a key, so it is left as it is", whatToDo);
        }
    }

    /** A new key as its file will hold it; asks for the passphrase where none is given. */
    byte[] seal(SignerKey key, Path file, SecureRandom random) {
        Secret passphrase = passphrase(file, true);
        if (passphrase.isEmpty()) {
            throw new Stop(
                    ExitCode.USAGE, "no passphrase for " + file, "the one that is given is empty", GIVE_PASSPHRASE);
        }
        return key.seal(passphrase, random);
    }

    /** Writes a sealed key for its owner only; never over another. */
    static void write(byte[] sealed, Path file) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            try (var out = Files.newByteChannel(
                    file,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                out.write(ByteBuffer.wrap(sealed));
            }
        } catch (IOException e) {
            throw new Stop(ExitCode.NO, "cannot write " + file, e.toString(), "choose another place");
        }
    }

    private Secret passphrase(Path key, boolean isNew) {
        @Nullable Path beside = key.toAbsolutePath().resolveSibling("passphrase");
        Path file = passphraseFile != null ? passphraseFile : beside;
        String environment = System.getenv("RON_PASSPHRASE");
        try {
            if (passphraseFile != null || (environment == null && Files.exists(file))) {
                return Secret.of(Files.readString(file).strip());
            }
        } catch (IOException e) {
            throw new Stop(
                    ExitCode.NO,
                    "cannot read " + file,
                    e.toString(),
                    "say where the passphrase is: --passphrase-file FILE");
        }
        return environment != null ? Secret.of(environment) : ask(key, isNew);
    }

    private static Secret ask(Path key, boolean isNew) {
        Console console = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .orElseThrow(() -> new Stop(
                        ExitCode.USAGE, "no passphrase for " + key, "there is no terminal to ask on", GIVE_PASSPHRASE));
        char[] typed = typed(key, console.readPassword("passphrase for %s: ", key.getFileName()));
        if (isNew && !Arrays.equals(typed, typed(key, console.readPassword("again: ")))) {
            throw new Stop(
                    ExitCode.NO,
                    "the two passphrases for " + key + " differ",
                    "what cannot be typed twice cannot be typed again",
                    "begin again, or " + GIVE_PASSPHRASE);
        }
        Secret secret = Secret.of(new String(typed).getBytes(StandardCharsets.UTF_8));
        Arrays.fill(typed, ' ');
        return secret;
    }

    /** Ctrl-D is no passphrase. */
    private static char[] typed(Path key, char @Nullable [] line) {
        if (line == null) {
            throw new Stop(
                    ExitCode.USAGE, "no passphrase for " + key, "the input ended where it was asked", GIVE_PASSPHRASE);
        }
        return line;
    }
}
