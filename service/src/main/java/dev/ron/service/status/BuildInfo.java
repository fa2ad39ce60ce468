package dev.ron.service.status;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Properties;

/** Which build this is; written into the jar when it is made. */
public record BuildInfo(String version, String gitSha, Instant built) {

    public static BuildInfo load() {
        Properties p = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("/dev/ron/service/build.properties")) {
            if (in != null) {
                p.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties in the jar cannot be read", e);
        }
        return new BuildInfo(
                p.getProperty("version", "unknown"),
                p.getProperty("git_sha", "unknown"),
                Instant.parse(p.getProperty("build_ts", "2026-01-01T00:00:00Z")));
    }
}
