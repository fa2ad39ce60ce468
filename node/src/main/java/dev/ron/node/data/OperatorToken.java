package dev.ron.node.data;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** The credential that lets an operator reload, drain and stop a node: 256 random bits, compared in constant time. */
public final class OperatorToken {
    private static final String PREFIX = "ron_op_";

    private final String text;

    private OperatorToken(String text) {
        this.text = text;
    }

    public static OperatorToken random() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return new OperatorToken(
                PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** Reads the token of a data folder, or writes a new one at its first start. */
    public static OperatorToken in(Path root) throws IOException {
        Path file = file(root);
        if (Files.exists(file)) {
            return new OperatorToken(Files.readString(file).strip());
        }
        OperatorToken token = random();
        Path temp = Files.createTempFile(
                root,
                "operator",
                ".tmp",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(temp, token.text + "\n");
        Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE);
        return token;
    }

    public static Path file(Path root) {
        return root.resolve("operator.token");
    }

    public boolean matches(String candidate) {
        return MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), candidate.getBytes(StandardCharsets.UTF_8));
    }

    /** The secret itself; only for printing it once in the micro profile. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return PREFIX + "***";
    }
}
