package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Parameters;

/** The token a command is about; {@code -} reads it from standard input, so that it stays out of the process list. */
final class TokenText {
    private static final int MAX_BYTES = 64 << 10;

    @Parameters(paramLabel = "TOKEN", description = "the token, or - to read it from standard input")
    String text = "";

    String get() {
        if (!text.equals("-")) {
            return text.strip();
        }
        try {
            return new String(System.in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new Stop(ExitCode.NO, "cannot read the token", e.toString(), "give it as an argument");
        }
    }
}
