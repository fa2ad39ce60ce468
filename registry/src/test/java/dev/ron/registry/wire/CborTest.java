package dev.ron.registry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Json;
import java.util.HexFormat;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CBOR carries exactly what JSON does, in one form. */
class CborTest {
    @Provide
    Arbitrary<Json> values() {
        return values(3);
    }

    private static Arbitrary<Json> values(int depth) {
        Arbitrary<Json> leaf = Arbitraries.oneOf(
                Arbitraries.longs().between(-Json.MAX_INTEGER, Json.MAX_INTEGER).map(Json.Int::new),
                Arbitraries.strings().alpha().ofMaxLength(300).map(Json.Str::new),
                Arbitraries.of(true, false).map(Json.Bool::new));
        if (depth == 0) {
            return leaf;
        }
        Arbitrary<Json> inner = values(depth - 1);
        return Arbitraries.oneOf(
                leaf,
                inner.list().ofMaxSize(5).map(Json.Arr::new),
                Arbitraries.maps(Arbitraries.strings().alpha().ofMaxLength(30), inner)
                        .ofMaxSize(5)
                        .map((Map<String, Json> members) -> Json.Obj.of(members)));
    }

    @Property(tries = 500)
    void everyValueHasOneForm(@ForAll("values") Json value) throws Refused {
        byte[] bytes = Cbor.write(value);
        assertThat(Cbor.read(bytes, "value")).isEqualTo(value);
        assertThat(Cbor.write(Cbor.read(bytes, "value"))).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "1800,not the shortest integer",
        "190001,not the shortest integer",
        "9fff,an indefinite array",
        "bfff,an indefinite map",
        "7f6161ff,an indefinite text",
        "f6,null",
        "fb3ff0000000000000,a float",
        "f93c00,a half float",
        "c001,a tag",
        "4161,a byte string",
        "a2616101616102,a key twice",
        "a2616201616101,keys out of order",
        "a10101,a key that is a number",
        "61ff,text that is not UTF-8",
        "1b0020000000000000,beyond 2^53-1",
        "3b001fffffffffffff,beyond -(2^53-1)",
        "0101,bytes after the end",
        "82,cut off",
        "9b7fffffffffffffff,a count that cannot be",
        "1c,a reserved length"
    })
    void whatIsNotDeterministicIsRefused(String hex, String why) {
        assertThatThrownBy(() -> Cbor.read(HexFormat.of().parseHex(hex), "body"))
                .as(why)
                .isInstanceOf(Refused.class);
    }

    // What is taken here is kept as JSON, and the log must open again.
    @Test
    void whatTheReaderOfTheLogWouldRefuseIsRefused() throws Refused {
        byte[] longest = Cbor.write(named("n".repeat(1024)));
        assertThat(Cbor.read(longest, "body")).isEqualTo(named("n".repeat(1024)));
        byte[] longer = Cbor.write(named("n".repeat(1025)));
        assertThatThrownBy(() -> Cbor.read(longer, "body")).isInstanceOf(Refused.class);
        byte[] sixTimesAsLongInJson = Cbor.write(new Json.Str("\u0001".repeat(200_000)));
        assertThatThrownBy(() -> Cbor.read(sixTimesAsLongInJson, "body")).isInstanceOf(Refused.class);
    }

    private static Json named(String name) {
        return Json.Obj.of(Map.of(name, new Json.Bool(true)));
    }
}
