package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.nimbusds.jose.crypto.Ed25519Verifier;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Other people's libraries against a live office; the guide "Verify RON's tokens in your own application" shows this code. */
class JoseAgreesTest {
    private static final Path MODULES = Path.of("target", "jose");

    @Test
    void nimbusAcceptsAnAccessTokenByTheCodeOfTheGuide() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            String issuer = office.service().issuer();
            String token = office.issue("\"format\":\"jwt\"");
            JWKSet keys =
                    JWKSet.load(URI.create(office.url("/.well-known/jwks.json")).toURL());
            SignedJWT jwt = SignedJWT.parse(token);
            OctetKeyPair key = keys.getKeyByKeyId(jwt.getHeader().getKeyID()).toOctetKeyPair();
            JWTClaimsSet claims = jwt.getJWTClaimsSet();
            boolean good = jwt.getHeader().getType().getType().equals("at+jwt")
                    && jwt.verify(new Ed25519Verifier(key.toPublicJWK()))
                    && claims.getIssuer().equals(issuer)
                    && claims.getAudience().contains("svc-demo")
                    && claims.getExpirationTime()
                            .toInstant()
                            .isAfter(Instant.now().minusSeconds(60));
            assertThat(good).isTrue();
        }
    }

    @Test
    void joseForNodeAcceptsWhatIsGoodAndNothingElse() throws Exception {
        String npm = joseOrWhyNot();
        assumeTrue(npm.isEmpty(), npm);
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            Path script = MODULES.resolve("check.mjs");
            try (var in = JoseAgreesTest.class.getResourceAsStream("/jose/check.mjs")) {
                Files.write(script, in.readAllBytes());
            }
            String said = run(
                    60,
                    "node",
                    script.toString(),
                    office.service().issuer(),
                    office.url("/.well-known/jwks.json"),
                    office.issue("\"format\":\"jwt\""),
                    office.issue());
            assertThat(said.lines())
                    .containsExactly(
                            "jwt sub ann",
                            "forged ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
                            "root typ pct+jwt for pct",
                            "bare root ERR_JOSE_NOT_SUPPORTED");
        }
    }

    private static String joseOrWhyNot() {
        try {
            Files.createDirectories(MODULES);
            if (!Files.isDirectory(MODULES.resolve("node_modules/jose"))) {
                Files.writeString(MODULES.resolve("package.json"), "{\"private\":true}");
                run(90, "npm", "install", "--prefix", MODULES.toString(), "--no-audit", "--no-fund", "jose@6");
            }
            return Files.isDirectory(MODULES.resolve("node_modules/jose")) ? "" : skipped("npm did not install jose");
        } catch (IOException | InterruptedException | IllegalStateException e) {
            return skipped(e.toString());
        }
    }

    private static String skipped(String why) {
        String line = "skipped: the check with npm's jose: " + why;
        System.out.println(line);
        return line;
    }

    private static String run(int seconds, String... command) throws IOException, InterruptedException {
        // Into a file: reading a pipe would wait for a process that never ends.
        Path said = Files.createTempFile(MODULES, "said", ".txt");
        Process process = new ProcessBuilder(List.of(command))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        if (!ended || process.exitValue() != 0) {
            throw new IllegalStateException(command[0] + (ended ? "" : " took more than " + seconds + " s and")
                    + " said: " + Files.readString(said));
        }
        return Files.readString(said);
    }
}
