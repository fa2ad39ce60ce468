package dev.ron.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.service.config.Sample.GatewayConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class ConfigLawsTest {
    /** For any set of sources that name a key, the highest of them decides, and says so. */
    @Property(tries = 200)
    void highestSourceDecides(
            @ForAll("number") Optional<Integer> file,
            @ForAll("number") Optional<Integer> env,
            @ForAll("number") Optional<Integer> flag)
            throws IOException {
        Sources sources = Sources.none();
        Path path = Files.createTempFile("ron", ".toml");
        try {
            if (file.isPresent()) {
                sources = sources.withFile(Files.writeString(path, "[gateway]\nmax_conns = " + file.get() + "\n"));
            }
            if (env.isPresent()) {
                sources = sources.withEnv(Map.of("RON__GATEWAY__MAX_CONNS", "" + env.get()));
            }
            if (flag.isPresent()) {
                sources = sources.withSet("gateway.max_conns=" + flag.get());
            }
            Config config = ConfigLoaderTest.loaded(sources);
            int expected = flag.or(() -> env).or(() -> file).orElse(512);
            assertThat(config.section(GatewayConfig.class).maxConns()).isEqualTo(expected);
            Origin origin = config.value("gateway.max_conns").orElseThrow().origin();
            assertThat(origin)
                    .isInstanceOf(
                            flag.isPresent()
                                    ? Origin.Flag.class
                                    : env.isPresent()
                                            ? Origin.Env.class
                                            : file.isPresent() ? Origin.File.class : Origin.Builtin.class);
            // loading is a function of its sources: again gives the same
            assertThat(config.changesTo(ConfigLoaderTest.loaded(sources))).isEmpty();
        } finally {
            Files.delete(path);
        }
    }

    @Provide
    Arbitrary<Optional<Integer>> number() {
        return Arbitraries.integers().between(1, 65_535).optional();
    }

    @Property
    void laterFlagOfTheSameKeyWins(
            @ForAll @IntRange(min = 1, max = 65_535) int first, @ForAll @IntRange(min = 1, max = 65_535) int second) {
        Sources sources = Sources.none().withSet("gateway.max_conns=" + first).withSet("gateway.max_conns=" + second);
        assertThat(ConfigLoaderTest.loaded(sources).section(GatewayConfig.class).maxConns())
                .isEqualTo(second);
    }

    @Property
    void sizesRoundTrip(@ForAll @LongRange(min = 0, max = 1L << 30) long count, @ForAll("units") long unit) {
        Bytes size = Bytes.of(count * unit);
        assertThat(Bytes.parse(size.toString())).isEqualTo(size);
    }

    @Provide
    Arbitrary<Long> units() {
        return Arbitraries.of(1L, 1_000L, 1_000_000L, 1L << 10, 1L << 20, 1L << 30);
    }

    @Property
    void durationsRoundTrip(@ForAll("durations") Duration d) {
        assertThat(Durations.parse(Durations.format(d))).isEqualTo(d);
    }

    @Provide
    Arbitrary<Duration> durations() {
        Arbitrary<Long> unit =
                Arbitraries.of(1L, 1_000L, 1_000_000L, 1_000_000_000L, 60_000_000_000L, 3_600_000_000_000L);
        return Arbitraries.longs().between(0, 99_999).flatMap(n -> unit.map(u -> Duration.ofNanos(n * u)));
    }

    @Property
    void hostPortRoundTrips(@ForAll @From("hosts") String host, @ForAll @IntRange(min = 0, max = 65_535) int port) {
        HostPort addr = new HostPort(host, port);
        assertThat(HostPort.parse(addr.toString())).isEqualTo(addr);
    }

    @Provide
    Arbitrary<String> hosts() {
        return Arbitraries.of("127.0.0.1", "::1", "fe80::1%eth0", "db.internal", "a");
    }

    /** No text makes the loader throw: it answers with a configuration or with errors that name the file. */
    @Property(tries = 500)
    void anyTextIsAnsweredInOrder(@ForAll("tomlish") String text) throws IOException {
        Path path = Files.createTempFile("ron", ".toml");
        try {
            Sources sources = Sources.none().withFile(Files.writeString(path, text));
            if (ConfigLoader.load(Sample.SECTIONS, sources) instanceof ConfigResult.Rejected r) {
                assertThat(r.errors())
                        .isNotEmpty()
                        .allMatch(e -> e.toString().contains(path.getFileName().toString()));
            }
        } finally {
            Files.delete(path);
        }
    }

    @Provide
    Arbitrary<String> tomlish() {
        Arbitrary<String> word = Arbitraries.of(
                "[gateway]",
                "[gateway.drr]",
                "\n",
                " = ",
                "max_conns",
                "mode",
                "1",
                "\"x\"",
                "[[gateway.targets]]",
                "addr",
                "{",
                "}",
                "[",
                "]",
                ",",
                "routes",
                ".",
                "\"",
                "#",
                "true",
                "é",
                "\u0000",
                "1979-05-27",
                "inf",
                "tags");
        return word.list().ofMaxSize(14).map(l -> String.join("", l));
    }
}
