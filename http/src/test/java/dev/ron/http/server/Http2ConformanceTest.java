package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Response;
import dev.ron.http.testing.TestHost;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** h2spec, which others hold their servers to. Its program for Linux comes with a Maven plugin; elsewhere this is skipped. */
class Http2ConformanceTest {
    private static final String ARCHIVE = "/h2spec/2.2.0/h2spec_linux_amd64.tar.gz";
    private static final int TAR_BLOCK = 512;

    /** Netty's codec resets or ignores where these three want the connection to end; no harm is known. */
    private static final List<String> KNOWN = List.of(
            "half closed (remote): Sends a HEADERS frame",
            "closed: Sends a HEADERS frame",
            "Sends stream identifier that is numerically smaller than previous");

    @TempDir
    Path folder;

    @Test
    void h2specFindsNothingButTheThreeThatAreKnown() throws Exception {
        Path program = unpack();
        HostConfig config = HostConfig.DEFAULTS.withFront(HostConfig.Front.DEFAULTS.withPriorKnowledge());
        try (TestHost host = TestHost.with(
                config,
                routes -> routes.add(
                        List.of("GET", "POST", "HEAD"), "/**", (BlockingHandler) request -> Response.text("hello")))) {
            Process run = new ProcessBuilder(
                            program.toString(), "-h", "127.0.0.1", "-p", Integer.toString(host.port()), "-o", "10")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            run.waitFor();
            Matcher sum = Pattern.compile("145 tests, (\\d+) passed").matcher(said);
            assertThat(sum.find()).as(said).isTrue();
            List<String> failed = Pattern.compile("× \\d+: (.+)")
                    .matcher(said.substring(said.indexOf("Failures:") < 0 ? 0 : said.indexOf("Failures:")))
                    .results()
                    .map(match -> match.group(1).strip())
                    .toList();
            assertThat(KNOWN).as(said).containsAll(failed);
            assertThat(Integer.parseInt(sum.group(1))).isGreaterThanOrEqualTo(142);
        }
    }

    private Path unpack() throws IOException {
        boolean linux = System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64");
        try (InputStream archive = Http2ConformanceTest.class.getResourceAsStream(ARCHIVE)) {
            Assumptions.assumeTrue(linux && archive != null, "h2spec runs on Linux on amd64 only: skipped");
            byte[] tar = new GZIPInputStream(archive).readAllBytes();
            int size = Integer.parseInt(new String(tar, 124, 11, StandardCharsets.US_ASCII).strip(), 8);
            Path program = folder.resolve("h2spec");
            Files.copy(new ByteArrayInputStream(tar, TAR_BLOCK, size), program);
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
            return program;
        }
    }
}
