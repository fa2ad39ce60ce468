package dev.ron.edge.pack.mbtiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a table of names and values comes to. */
class MbtilesMetadataTest {
    private static MbtilesMetadata of(String name, String value) {
        return new MbtilesMetadata(Map.of(name, value), "pack.mbtiles");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1,2,3", "-190,0,10,10", "0,0,10,NaN", "0,0,10,91", "a,b,c,d"})
    void boundsThatAreNoneAreAsIfAbsent(String text) {
        assertThat(of("bounds", text).bounds()).isEmpty();
        assertThat(of("bounds", "-10, -20.5,30,40").bounds()).contains(new Bounds(-10, -20.5, 30, 40));
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
