package dev.ron.passport;

import dev.ron.passport.audit.AuditFile;
import dev.ron.passport.client.ApiKey;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.kms.CannotOpen;
import dev.ron.passport.kms.DurableFile;
import dev.ron.passport.kms.FileKeystore;
import dev.ron.passport.kms.Keystore;
import dev.ron.passport.office.FileJournal;
import dev.ron.passport.office.Journal;
import dev.ron.passport.policy.PolicyFile;
import dev.ron.service.config.Secret;
import dev.ron.token.json.Base64Url;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the office.
 *
 * <pre>
 * keystore.json    the signing keys, sealed
 * journal.bin      revocations, epochs and clients
 * policy.bundle    the last policy a registry gave, with its proof
 * audit.log        what was issued, revoked and changed
 * passphrase       demo only: what opens the keystore
 * bootstrap.key    demo only: the key of the first client
 * </pre>
 */
final class Vault {
    static final String BOOTSTRAP_CLIENT = "bootstrap";

    private static final Logger LOG = LoggerFactory.getLogger(Vault.class);

    private final Setup setup;
    private final SecureRandom random;

    Vault(Setup setup, SecureRandom random) {
        this.setup = setup;
        this.random = random;
    }

    Keystore keystore(Optional<Secret> configured) throws IOException {
        if (setup.folder().isEmpty()) {
            return Keystore.memory();
        }
        Path folder = setup.folder().get();
        Optional<Secret> given = configured.filter(secret -> !secret.isEmpty());
        Secret passphrase = given.isPresent() ? given.get() : demoPassphrase(folder);
        return new FileKeystore(folder.resolve("keystore.json"), passphrase, random);
    }

    private Secret demoPassphrase(Path folder) throws IOException {
        if (!setup.demo()) {
            throw CannotOpen.because(
                    "there is no passphrase for the keystore",
                    "write one to a file of mode 0600 and set passport.kms.passphrase_file"
                            + " (or RON__PASSPORT__KMS__PASSPHRASE_FILE)");
        }
        Path file = folder.resolve("passphrase");
        if (!Files.exists(file)) {
            byte[] bytes = new byte[32];
            random.nextBytes(bytes);
            DurableFile.replace(file, (Base64Url.encode(bytes) + "\n").getBytes(StandardCharsets.UTF_8));
            LOG.warn("demo: made a passphrase for the keystore in {}; whoever reads it has the keys", file);
        }
        DurableFile.requireOwnerOnly(file);
        return Secret.of(Files.readString(file).strip());
    }

    Journal journal() throws IOException {
        return setup.folder().isEmpty()
                ? Journal.none()
                : FileJournal.open(setup.folder().get().resolve("journal.bin"));
    }

    PolicyFile policy() {
        return new PolicyFile(setup.folder().map(folder -> folder.resolve("policy.bundle")));
    }

    Optional<AuditFile> audit(PassportConfig.Audit config) throws IOException {
        return setup.folder().isEmpty()
                ? Optional.empty()
                : Optional.of(new AuditFile(
                        setup.folder().get().resolve("audit.log"),
                        config.maxFileBytes().count(),
                        config.keepFiles()));
    }

    /** The key of the demo's first client, kept beside the other files where there are any. */
    ApiKey bootstrapKey() throws IOException {
        if (setup.folder().isEmpty()) {
            return ApiKey.random(random);
        }
        Path file = setup.folder().get().resolve("bootstrap.key");
        if (Files.exists(file)) {
            DurableFile.requireOwnerOnly(file);
            Optional<ApiKey> kept = ApiKey.parse(Files.readString(file).strip());
            if (kept.isPresent()) {
                return kept.get();
            }
        }
        ApiKey key = ApiKey.random(random);
        DurableFile.replace(file, (key.reveal() + "\n").getBytes(StandardCharsets.UTF_8));
        return key;
    }

    static Client bootstrapClient(ApiKey key) {
        return new Client(
                BOOTSTRAP_CLIENT,
                key.prefix(),
                key.hash(),
                List.of("acme", Client.ANY),
                Set.of(Right.values()),
                List.of(Client.ANY),
                0);
    }
}
