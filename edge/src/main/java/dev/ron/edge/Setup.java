package dev.ron.edge;

import dev.ron.http.client.Addresses;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a node decides for its edge.
 *
 * @param folder where it keeps its files; empty keeps everything in RAM
 * @param demo serves the demo world and takes many more requests than the default allows
 * @param demoPacks a folder in which the build has left the demo world
 * @param names what resolves the names of origins; empty asks the system
 */
public record Setup(
        String bind,
        int port,
        Optional<Path> folder,
        boolean demo,
        Optional<Path> demoPacks,
        Optional<Addresses> names) {

    public static Setup of(String bind, int port, Optional<Path> folder) {
        return new Setup(bind, port, folder, false, Optional.empty(), Optional.empty());
    }
}
