package dev.ron.http.tls;

import java.nio.file.Path;

/** A certificate or key file that cannot be used: which, why, and what to do. */
public final class BadTlsFile extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    BadTlsFile(Path file, String problem) {
        super(file + ": " + problem);
    }
}
