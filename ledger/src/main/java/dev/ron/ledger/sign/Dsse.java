package dev.ron.ledger.sign;

import java.nio.charset.StandardCharsets;

/**
 * The pre-authentication encoding of DSSE: what is signed is the payload together with its type.
 *
 * <p>The lengths make the encoding unambiguous, so a signature made for one type can never be read as another.
 */
public final class Dsse {
    private Dsse() {}

    public static byte[] preAuthenticationEncoding(String type, byte[] payload) {
        byte[] typeBytes = type.getBytes(StandardCharsets.UTF_8);
        byte[] head = ("DSSEv1 " + typeBytes.length + " " + type + " " + payload.length + " ")
                .getBytes(StandardCharsets.UTF_8);
        byte[] encoded = new byte[head.length + payload.length];
        System.arraycopy(head, 0, encoded, 0, head.length);
        System.arraycopy(payload, 0, encoded, head.length, payload.length);
        return encoded;
    }
}
