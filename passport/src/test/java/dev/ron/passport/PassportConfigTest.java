package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.service.config.Bytes;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Secret;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.tls.TlsConfig;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassportConfigTest {
    @Test
    void theDefaultsAreTheSeedsNumbers() {
        assertThat(load(Sources.none()))
                .isEqualTo(new PassportConfig(
                        "",
                        1024,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(5),
                        TlsConfig.OFF,
                        new PassportConfig.Limits(0, 512, Bytes.parse("1MiB"), 10, 512),
                        new PassportConfig.Kms(Duration.ofSeconds(3), Duration.ofMillis(100), Optional.empty()),
                        new PassportConfig.Registry(
                                Optional.empty(),
                                "",
                                "passport.policy",
                                Optional.empty(),
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(60),
                                Duration.ofMinutes(10)),
                        new PassportConfig.IssuerPolicy(
                                Duration.ofHours(1),
                                Duration.ofMinutes(15),
                                List.of(
                                        "svc-gateway",
                                        "svc-edge",
                                        "svc-registry",
                                        "svc-admin",
                                        "svc-passport",
                                        "svc-demo"),
                                List.of(
                                        "exp", "nbf", "aud", "scope", "method", "path", "tenant", "ip", "bytes", "rate",
                                        "budget", "bind"),
                                List.of(),
                                new PassportConfig.CaveatsMax(Bytes.of(0), 0, Bytes.of(0), 0),
                                false,
                                30,
                                Duration.ofMinutes(10),
                                Duration.ofMinutes(10)),
                        new PassportConfig.Pq(PassportConfig.Mode.HYBRID),
                        new PassportConfig.Jwt("EdDSA"),
                        new PassportConfig.Audit(false, Bytes.parse("64MiB"), 16)));
    }

    @Test
    void everyKeyCanBeSet(@TempDir Path folder) throws Exception {
        Path hush = folder.resolve("passphrase");
        Files.createFile(hush, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(hush, "hush\n");
        Sources sources = Sources.none();
        for (String set : List.of(
                "passport.issuer=https://p.example",
                "passport.max_conns=7",
                "passport.read_timeout=1s",
                "passport.write_timeout=2s",
                "passport.idle_timeout=3s",
                "passport.drain_deadline=4s",
                "passport.limits.rps=9",
                "passport.limits.inflight=33",
                "passport.limits.max_body_bytes=2KiB",
                "passport.limits.decompress_ratio_cap=3",
                "passport.limits.max_batch=4",
                "passport.kms.timeout=5s",
                "passport.kms.slo=6ms",
                "passport.kms.passphrase_file=" + hush,
                "passport.registry.endpoint=http://127.0.0.1:1",
                "passport.registry.genesis=b3:" + "a".repeat(64),
                "passport.registry.policy_id=my.policy",
                "passport.registry.ca_file=/etc/roots.pem",
                "passport.registry.timeout=7s",
                "passport.registry.interval=8s",
                "passport.registry.max_age=9m",
                "passport.issuer_policy.max_ttl=2h",
                "passport.issuer_policy.default_ttl=1m",
                "passport.issuer_policy.audiences=svc-x",
                "passport.issuer_policy.caveats=path",
                "passport.issuer_policy.caveats_required=scope",
                "passport.issuer_policy.caveats_max.bytes=1KiB",
                "passport.issuer_policy.caveats_max.budget_reqs=2",
                "passport.issuer_policy.caveats_max.budget_bytes=3KiB",
                "passport.issuer_policy.caveats_max.rate_rps=4",
                "passport.issuer_policy.frozen=true",
                "passport.issuer_policy.rotation_days=2",
                "passport.issuer_policy.grace=11m",
                "passport.issuer_policy.publish_ahead=12m",
                "passport.pq.mode=enforce",
                "passport.jwt.alg_id=ES256",
                "passport.audit.required=true",
                "passport.audit.max_file_bytes=1MiB",
                "passport.audit.keep_files=3")) {
            sources = sources.withSet(set);
        }
        assertThat(load(sources))
                .isEqualTo(new PassportConfig(
                        "https://p.example",
                        7,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(4),
                        TlsConfig.OFF,
                        new PassportConfig.Limits(9, 33, Bytes.parse("2KiB"), 3, 4),
                        new PassportConfig.Kms(
                                Duration.ofSeconds(5), Duration.ofMillis(6), Optional.of(Secret.of("hush"))),
                        new PassportConfig.Registry(
                                Optional.of(URI.create("http://127.0.0.1:1")),
                                "b3:" + "a".repeat(64),
                                "my.policy",
                                Optional.of(Path.of("/etc/roots.pem")),
                                Duration.ofSeconds(7),
                                Duration.ofSeconds(8),
                                Duration.ofMinutes(9)),
                        new PassportConfig.IssuerPolicy(
                                Duration.ofHours(2),
                                Duration.ofMinutes(1),
                                List.of("svc-x"),
                                List.of("path"),
                                List.of("scope"),
                                new PassportConfig.CaveatsMax(Bytes.kib(1), 2, Bytes.kib(3), 4),
                                true,
                                2,
                                Duration.ofMinutes(11),
                                Duration.ofMinutes(12)),
                        new PassportConfig.Pq(PassportConfig.Mode.ENFORCE),
                        new PassportConfig.Jwt("ES256"),
                        new PassportConfig.Audit(true, Bytes.parse("1MiB"), 3)));
    }

    @Test
    void aKeyIsNeverPublishedLessThanTenMinutesAhead() {
        ConfigResult result = ConfigLoader.load(
                List.of(Section.of("passport", PassportConfig.class)),
                Sources.none().withSet("passport.issuer_policy.publish_ahead=9m"));
        assertThat(result).isInstanceOf(ConfigResult.Rejected.class);
    }

    @Test
    void anAlgorithmThatAccessTokensCannotHaveIsRefused() {
        for (String alg : List.of("RS256", "HS256", "none", "eddsa", "")) {
            ConfigResult result = ConfigLoader.load(
                    List.of(Section.of("passport", PassportConfig.class)),
                    Sources.none().withSet("passport.jwt.alg_id=" + alg));
            assertThat(result).as(alg).isInstanceOf(ConfigResult.Rejected.class);
        }
    }

    @Test
    void anIssuerThatNoVerifierCouldReadIsRefused() {
        String longest = "https://" + "p".repeat(120);
        assertThat(load(Sources.none().withSet("passport.issuer=" + longest)).issuer())
                .isEqualTo(longest);
        for (String issuer : List.of(longest + "p", "https://p\u00e4ss.example", "https://p.example/a b")) {
            ConfigResult result = ConfigLoader.load(
                    List.of(Section.of("passport", PassportConfig.class)),
                    Sources.none().withSet("passport.issuer=" + issuer));
            assertThat(result).as(issuer).isInstanceOf(ConfigResult.Rejected.class);
        }
    }

    @Test
    void aRegistryIsBelievedOnlyForAKnownLog() {
        for (String genesis : List.of("", "b3:short")) {
            ConfigResult result = ConfigLoader.load(
                    List.of(Section.of("passport", PassportConfig.class)),
                    Sources.none()
                            .withSet("passport.registry.endpoint=http://127.0.0.1:1")
                            .withSet("passport.registry.genesis=" + genesis));
            assertThat(result).isInstanceOf(ConfigResult.Rejected.class);
        }
    }

    private static PassportConfig load(Sources sources) {
        ConfigResult result = ConfigLoader.load(List.of(Section.of("passport", PassportConfig.class)), sources);
        if (!(result instanceof ConfigResult.Loaded(Config config))) {
            throw new AssertionError(result.toString());
        }
        return config.section(PassportConfig.class);
    }
}
