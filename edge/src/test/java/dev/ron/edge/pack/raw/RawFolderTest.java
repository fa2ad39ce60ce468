package dev.ron.edge.pack.raw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.pack.PackFile;
import dev.ron.kernel.testkit.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoLeaks.class)
class RawFolderTest {
    @TempDir
    Path temp = Path.of("");

    @BeforeEach
    void files() throws IOException {
        Files.createDirectories(temp.resolve("assets/fonts/Noto Sans"));
        Files.createDirectories(temp.resolve("assets2"));
        Files.writeString(temp.resolve("secret"), "no");
        Files.writeString(temp.resolve("assets2/secret"), "no");
        Files.writeString(temp.resolve("assets/.hidden"), "no");
        Files.writeString(temp.resolve("assets/fonts/Noto Sans/0-255.pbf"), "glyphs");
        Files.writeString(temp.resolve("assets/a..b.txt"), "dots inside a name are fine");
        Files.createSymbolicLink(temp.resolve("assets/inside.pbf"), Path.of("fonts/Noto Sans/0-255.pbf"));
        Files.createSymbolicLink(temp.resolve("assets/outside"), Path.of("../secret"));
        Files.createSymbolicLink(temp.resolve("assets/up"), Path.of(".."));
        Files.createSymbolicLink(temp.resolve("assets/sibling"), temp.resolve("assets2"));
        Files.createSymbolicLink(temp.resolve("assets/loop"), Path.of("loop"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fonts/Noto Sans/0-255.pbf", "inside.pbf", "a..b.txt"})
    void filesBelowTheFolderAreFound(String name) throws IOException {
        try (PackFile file = new RawFolder(temp.resolve("assets")).open(name).orElseThrow()) {
            assertThat(file.read(0, (int) file.size())).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../secret",
                "fonts/../../secret",
                "fonts/..",
                "./a..b.txt",
                "/etc/passwd",
                "//etc/passwd",
                "fonts",
                "fonts/",
                "fonts//x",
                "..\\secret",
                "fonts\\..\\..\\secret",
                "%2e%2e/secret",
                "..%2fsecret",
                "%252e%252e/secret",
                "..;/secret",
                "a..b.txt\0",
                "a..b.txt\0.png",
                "..\u2215secret",
                "\uFF0E\uFF0E/secret",
                "C:/secret",
                "outside",
                "up/secret",
                "sibling/secret",
                "loop",
                ".hidden",
                "missing",
                "\uD800",
                "a\nb"
            })
    void nothingElseIs(String name) throws IOException {
        assertThat(new RawFolder(temp.resolve("assets")).open(name)).isEmpty();
    }

    @Test
    void mediaTypesFollowTheEnding() {
        assertThat(MediaTypes.of("a/b.PNG")).isEqualTo("image/png");
        assertThat(MediaTypes.of("a.b/c")).isEqualTo(MediaTypes.UNKNOWN);
        assertThat(MediaTypes.of("a.exe")).isEqualTo(MediaTypes.UNKNOWN);
    }
}
