package dev.ron.edge.pack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PackErrorTest {
    // a file says what a cause quotes: megabytes, or what moves the cursor of who reads it
    @Test
    void aCauseIsShortAndPrintable() {
        PackError error = new PackError(PackFault.BAD_METADATA, "p: format \"\u001b[2J\n" + "x".repeat(8 << 20) + "\"");
        assertThat(error.detail())
                .startsWith("p: format \"\uFFFD[2J\uFFFDxxx")
                .endsWith("x…")
                .hasSize(513);
        assertThat(new PackError(PackFault.BAD_METADATA, "x".repeat(512)).detail())
                .isEqualTo("x".repeat(512));
    }
}
