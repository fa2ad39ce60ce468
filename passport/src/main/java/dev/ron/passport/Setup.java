package dev.ron.passport;

import dev.ron.ledger.hash.B3;
import dev.ron.passport.kms.SigningEngine;
import dev.ron.token.crypto.Signatures;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a node decides for its passport office.
 *
 * @param folder where it keeps its files; empty keeps everything, keys included, in RAM
 * @param demo makes a passphrase and a first client by itself
 * @param engine what signs
 * @param registry the registry of this process once it is up, for an office that is to follow it; a configured one goes
 *     before it
 * @param registryRoots what that registry is checked with where it speaks TLS; configured ones go before it
 */
public record Setup(
        String bind,
        int port,
        Optional<Path> folder,
        boolean demo,
        SigningEngine engine,
        Optional<Supplier<Optional<LocalRegistry>>> registry,
        Optional<Path> registryRoots) {

    /** A registry in the same process, and the genesis of its log. */
    public record LocalRegistry(String base, B3 genesis) {}

    public static Setup of(String bind, int port, Optional<Path> folder, boolean demo) {
        return new Setup(
                bind, port, folder, demo, SigningEngine.local(Signatures.best()), Optional.empty(), Optional.empty());
    }

    /** The same, following a registry of this process. */
    public Setup following(Supplier<Optional<LocalRegistry>> local, Optional<Path> roots) {
        return new Setup(bind, port, folder, demo, engine, Optional.of(local), roots);
    }

    /** The {@code iss} where the configuration names none; a port the system chooses would change it at every start. */
    String defaultIssuer() {
        return port == 0 ? "urn:ron:passport" : "http://" + bind + ":" + port;
    }
}
