package dev.ron.edge.pack.mbtiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a table of names and values comes to. */
class MbtilesMetadataTest {
    private static MbtilesMetadata of(String name, String value) {
        return new MbtilesMetadata(Map.of(name, value), "pack.mbtiles");
    }

    @Test
    void whatStaysInMemoryIsBounded() {
        assertThat(of("legend", "x".repeat(100_000))
                        .description()
                        .path("legend")
                        .asString())
                .hasSize(100_000);
        PackError error = catchThrowableOfType(
                PackError.class, () -> of("legend", "x".repeat(600_000)).description());
        assertThat(error.fault()).isEqualTo(PackFault.TOO_LARGE);
        assertThat(of("generator_options", "x".repeat(600_000)).description()).isEmpty();
    }
}
