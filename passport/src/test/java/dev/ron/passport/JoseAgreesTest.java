package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Somebody else's library on all that an office signs; {@link VerifyGuideTest} runs what the guide shows. */
class JoseAgreesTest {
    static final Path MODULES = Path.of("target", "jose");

    @Test
    void joseForNodeAcceptsWhatIsGoodAndNothingElse() throws Exception {
        String npm = joseOrWhyNot();
        assumeTrue(npm.isEmpty(), npm);
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            Path script = MODULES.resolve("check.mjs");
            try (var in = JoseAgreesTest.class.getResourceAsStream("/jose/check.mjs")) {
                Files.write(script, in.readAllBytes());
            }
            // It compares the name in the header with the one that the key states.
            for (String alg : List.of("EdDSA", "Ed25519", "ES256")) {
                office.reload("passport.jwt.alg_id=" + alg);
                String said = run(
                        60,
                        "node",
                        script.toString(),
                        alg,
                        office.service().issuer(),
                        office.url("/.well-known/jwks.json"),
                        office.issue("\"format\":\"jwt\""),
                        office.issue());
                assertThat(said.lines())
                        .as(alg)
                        .containsExactly(
                                "jwt sub ann",
                                "forged ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
                                "root typ pct+jwt for pct",
                                "bare root ERR_JOSE_NOT_SUPPORTED");
            }
        }
    }

    static String joseOrWhyNot() {
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

    static String run(int seconds, String... command) throws IOException, InterruptedException {
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
