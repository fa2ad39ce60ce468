package dev.ron.token;

import java.security.SecureRandom;

/** Not random: hands out one known seed, so that attenuated tokens can be compared with published ones. */
public final class FixedRandom extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private final byte[] bytes;

    public FixedRandom(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    @Override
    public void nextBytes(byte[] target) {
        System.arraycopy(bytes, 0, target, 0, target.length);
    }
}
