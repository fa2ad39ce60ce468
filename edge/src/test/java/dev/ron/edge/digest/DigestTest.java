package dev.ron.edge.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class DigestTest {
    @Test
    void aDigestHasOneSpelling() {
        String hex = Blake3.hash(new byte[0]).hex();
        assertThat(hex).isEqualTo("af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
        assertThat(Digest.parse(hex)).contains(Blake3.hash(new byte[0]));
        assertThat(Digest.parse(hex.toUpperCase(Locale.ROOT))).isEmpty();
        assertThat(Digest.parse(hex.substring(1))).isEmpty();
        assertThat(Digest.parse(hex.replace('a', 'g'))).isEmpty();
    }
}
