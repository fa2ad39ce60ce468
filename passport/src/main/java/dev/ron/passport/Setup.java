package dev.ron.passport;

import dev.ron.passport.kms.SigningEngine;
import dev.ron.passport.policy.PolicySource;
import dev.ron.token.crypto.Signatures;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a node decides for its passport office.
 *
 * @param folder where it keeps its files; empty keeps everything, keys included, in RAM
 * @param demo makes a passphrase and a first client by itself
 * @param engine what signs
 * @param registry where the policy comes from if a registry is configured
 */
public record Setup(
        String bind,
        int port,
        Optional<Path> folder,
        boolean demo,
        SigningEngine engine,
        Optional<PolicySource> registry) {
    public static Setup of(String bind, int port, Optional<Path> folder, boolean demo) {
        return new Setup(bind, port, folder, demo, SigningEngine.local(Signatures.best()), Optional.empty());
    }

    /** The {@code iss} where the configuration names none; a port the system chooses would change it at every start. */
    String defaultIssuer() {
        return port == 0 ? "urn:ron:passport" : "http://" + bind + ":" + port;
    }
}
