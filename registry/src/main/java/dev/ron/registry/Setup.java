package dev.ron.registry;

import dev.ron.service.keys.IssuerSource;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a process decides for its registry.
 *
 * @param folder where the log is kept; empty keeps it in RAM
 * @param witness where the head is remembered if the configuration names no place
 * @param demo makes a log with three signers where there is none; their keys go into {@code demoKeys}
 * @param issuer whose tokens let callers write
 */
public record Setup(
        String bind,
        int port,
        Optional<Path> folder,
        Optional<Path> witness,
        boolean demo,
        Optional<Path> demoKeys,
        int channelBound,
        Supplier<Optional<IssuerSource>> issuer) {}
