package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.Unpacking;
import dev.ron.edge.pack.mbtiles.TestMbtiles;
import dev.ron.edge.pack.pmtiles.ArchiveSpec;
import dev.ron.edge.pack.pmtiles.PmtilesWriter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tiles stored in every coding, asked for by clients that read some of them. */
class TileCodingTest {
    private static final List<Coding> CODINGS =
            List.of(Coding.NONE, Coding.GZIP, Coding.ZSTD, Coding.ZLIB, Coding.BROTLI);

    /** A length and a tag, as a layer of an MLT begins; also a header of zlib. */
    private static final byte[] LIKE_ZLIB = {0x78, 1, 2, 3};

    @TempDir
    static Path folder;

    private static TestEdge edge;

    @BeforeAll
    static void start() throws Exception {
        Path packs = Files.createDirectories(folder.resolve("packs"));
        for (Coding coding : List.of(Coding.GZIP, Coding.BROTLI, Coding.ZSTD)) {
            ArchiveSpec spec = ArchiveSpec.of(TileType.MVT, coding, JsonNodeFactory.instance.objectNode());
            try (PmtilesWriter writer =
                    PmtilesWriter.create(packs.resolve(coding.contentCoding() + ".pmtiles"), spec)) {
                for (int x = 0; x < 4; x++) {
                    writer.add(new TileCoord(2, x, 1), Packing.pack(coding, plain(x)));
                }
                writer.finish();
            }
        }
        Map<TileCoord, byte[]> mixed = new LinkedHashMap<>();
        for (int x = 0; x < 4; x++) {
            mixed.put(new TileCoord(2, x, 1), Packing.pack(CODINGS.get(x), plain(x)));
        }
        TestMbtiles.write(packs.resolve("mixed.mbtiles"), "pbf", mixed);
        for (TileType type : TileType.values()) {
            ArchiveSpec spec = ArchiveSpec.of(type, Coding.NONE, JsonNodeFactory.instance.objectNode());
            try (PmtilesWriter writer =
                    PmtilesWriter.create(packs.resolve("of-" + type.extension() + ".pmtiles"), spec)) {
                writer.add(new TileCoord(0, 0, 0), LIKE_ZLIB);
                writer.finish();
            }
        }
        TestMbtiles.write(packs.resolve("base-mlt.mbtiles"), "mlt", Map.of(new TileCoord(0, 0, 0), LIKE_ZLIB));
        edge = new TestEdge("""
                [edge]
                packs_dir = "%s"
                [edge.ingress]
                rps_limit = 1000000
                """.formatted(packs), Optional.of(folder.resolve("data")));
    }

    @AfterAll
    static void stop() {
        edge.close();
    }

    private static byte[] plain(int x) {
        return ("\u001a tile " + x + " ").repeat(100).getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "of-mvt, mvt, application/vnd.mapbox-vector-tile",
        "of-mvt, pbf, application/vnd.mapbox-vector-tile",
        "of-mlt, mlt, application/vnd.maplibre-tile",
        "base-mlt, mlt, application/vnd.maplibre-tile",
        "of-png, png, image/png",
        "of-jpg, jpg, image/jpeg",
        "of-jpg, jpeg, image/jpeg",
        "of-webp, webp, image/webp",
        "of-avif, avif, image/avif",
        "of-bin, bin, application/octet-stream"
    })
    void everyKindOfTileGoesOutAsItIsUnderItsMediaType(String pack, String ending, String mediaType) {
        HttpResponse<byte[]> answer = edge.get("/edge/tiles/" + pack + "/0/0/0." + ending);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue(mediaType);
        assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(answer.body()).isEqualTo(LIKE_ZLIB);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip  | gzip              | gzip",
                "gzip  | br, zstd          | ''",
                "br    | br                | br",
                "br    | gzip, zstd        | ''",
                "zstd  | zstd              | zstd",
                "zstd  | gzip, br          | ''",
                "zstd  | *                 | zstd",
                "zstd  | *;q=0             | ''",
                "mixed | gzip              | ''",
                "mixed | zstd              | ''",
                "mixed | deflate, br       | ''",
                "mixed | gzip, zstd, deflate | ''",
                "mixed | identity          | ''",
            })
    void noTileGoesOutInACodingThatWasNotAcceptedOrSaysAnotherThanItHas(String pack, String accepts, String coding) {
        List<String> named =
                Arrays.stream(accepts.split(",", -1)).map(String::strip).toList();
        for (int x = 0; x < 4; x++) {
            for (int again = 0; again < 2; again++) { // from the file, then from memory
                HttpResponse<byte[]> answer =
                        edge.get("/edge/tiles/" + pack + "/2/" + x + "/1.mvt", "Accept-Encoding", accepts);
                assertThat(answer.statusCode()).isEqualTo(200);
                String came = answer.headers().firstValue("Content-Encoding").orElse("");
                if (pack.equals("mixed")) {
                    assertThat(came)
                            .satisfiesAnyOf(
                                    c -> assertThat(c).isEmpty(),
                                    c -> assertThat(named).contains(c));
                } else {
                    assertThat(came).isEqualTo(coding);
                }
                Coding is = CODINGS.stream()
                        .filter(c -> c.contentCoding().equals(came))
                        .findFirst()
                        .orElseThrow();
                assertThat(Unpacking.unpack(is, answer.body(), 1 << 20, "tile")).isEqualTo(plain(x));
                assertThat(answer.headers().firstValue("ETag"))
                        .hasValue("\"b3:" + Blake3.hash(answer.body()).hex() + "\"");
                assertThat(answer.headers().firstValue("Vary")).hasValue("Accept-Encoding");
            }
        }
    }
}
