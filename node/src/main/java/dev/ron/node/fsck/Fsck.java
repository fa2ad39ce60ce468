package dev.ron.node.fsck;

import dev.ron.kernel.error.RonException;
import dev.ron.node.Findings;
import dev.ron.passport.kms.CannotOpen;
import dev.ron.service.config.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Looks at every part of a data folder with the code that a start would use, and changes nothing. */
public final class Fsck {
    private final Path root;
    private final Map<Path, Part> parts = new LinkedHashMap<>();

    /** One kind of files; what it finds wrong it adds or throws. */
    interface Part {
        void check(Path folder, Findings findings) throws IOException;

        /** There is no such folder. */
        default void absent(String name, Findings findings) {
            findings.ok(name, "not there");
        }
    }

    /**
     * A check of one folder that nobody uses.
     *
     * @param passphrase what opens the keystore; the demo's lies in the folder
     * @param witness where the registry's witness is, where it is not in the folder
     */
    public Fsck(Path root, Optional<Secret> passphrase, Optional<Path> witness) {
        this.root = root;
        parts.put(Path.of("registry"), new RegistryCheck(witness.orElse(root.resolve("witness/registry.head"))));
        parts.put(Path.of("passport"), new PassportCheck(passphrase));
        parts.put(Path.of("admin"), new ConsoleAuditCheck());
        parts.put(Path.of("edge", "cas"), new CasCheck());
    }

    public Findings run() {
        Findings findings = new Findings();
        parts.forEach((name, part) -> check(name, part, findings));
        return findings;
    }

    /** One part only: what {@code passport} or {@code registry} keeps. */
    public void run(String name, Findings findings) {
        parts.forEach((path, part) -> {
            if (path.toString().equals(name)) {
                check(path, part, findings);
            }
        });
    }

    private void check(Path name, Part part, Findings findings) {
        Path folder = root.resolve(name);
        if (!Files.isDirectory(folder)) {
            part.absent(name.toString(), findings);
            return;
        }
        try {
            part.check(folder, findings);
        } catch (CannotOpen broken) {
            findings.bad(name.toString(), String.valueOf(broken.getMessage()), broken.advice());
        } catch (IOException | RonException e) {
            findings.bad(name.toString(), String.valueOf(e.getMessage()), "restore the folder from a backup");
        }
    }
}
