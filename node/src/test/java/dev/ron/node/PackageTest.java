package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.http.json.StrictJson;
import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * {@code ron package}: the same sources give the same bytes, and they run.
 *
 * <p>The long run makes the real thing, twice, from clones of the commit under test. The normal run has the same scripts put
 * together what a stand-in for Maven and for jlink made.
 */
@Timeout(value = 40, unit = TimeUnit.MINUTES)
final class PackageTest {
    private static final boolean LONG = Boolean.getBoolean("ron.long");
    private static final String PAGE = "edge/src/main/resources/dev/ron/edge/page";

    @TempDir
    Path folder;

    @BeforeEach
    void hasTools() throws Exception {
        assumeTrue(
                Shell.has("git") && Shell.has("sha256sum") && Shell.has("bash"),
                "skipped: git, sha256sum or bash is not here");
    }

    @Test
    void theSameSourcesGiveTheSameBytesInAnyFolder() throws Exception {
        Path one = packaged("one");
        Path other = packaged("elsewhere/deeper");
        String hash = hash(one);
        assertThat(hash(other)).isEqualTo(hash);
        Path unpacked = unpacked(one);
        assertThat(unpacked.resolve("share"))
                .isDirectoryContaining("glob:**/prometheus-rules.yaml")
                .isDirectoryContaining("glob:**/grafana-dashboard.json")
                .isDirectoryContaining("glob:**/ron.1")
                .isDirectoryContaining("glob:**/ron.bash");
        assertThat(unpacked)
                .isDirectoryContaining("glob:**/ron.service")
                .isDirectoryContaining("glob:**/kubernetes.yaml")
                .isDirectoryContaining("glob:**/kubernetes-stopped.yaml")
                .isDirectoryContaining("glob:**/ron-gateway.socket")
                .isDirectoryContaining("glob:**/ron-edge.socket")
                .isDirectoryContaining("glob:**/ron-passport.socket")
                .isDirectoryContaining("glob:**/ron-registry.socket");
        assertThat(unpacked.resolve("app/lib/left-behind.jar")).doesNotExist();
        JsonNode bill = new StrictJson().tree(Files.readAllBytes(unpacked.resolve("bom.cdx.json")));
        assertThat(bill.path("bomFormat").asString("")).isEqualTo("CycloneDX");
        assertThat(bill.has("serialNumber")).isFalse();
        assertThat(names(bill)).contains("openjdk", "preact", "signals", "signals-core", "uplot", "maplibre-gl");
        assertThat(Files.readString(unpacked.resolve("NOTICES")))
                .contains("Jason Miller", "Preact Team", "Leon Sorokin", "MapLibre contributors", "Bitstream");
        if (LONG) {
            assertThat(bill.path("components").size()).isGreaterThan(30);
            runs(unpacked);
        }
    }

    @Test
    void withoutABillOfMaterialsThereIsNoPackage() throws Exception {
        LauncherHome home = standIn("bare");
        assertThatThrownBy(() -> home.ron("NO_BILL=1", "package"))
                .hasMessageContaining("no bill of materials, so no package");
        try (Stream<Path> made = Files.list(home.at("target"))) {
            assertThat(made.map(Path::toString)).noneMatch(name -> name.contains(".tar.gz"));
        }
    }

    /** The list that is kept by hand is of what the pages really contain. */
    @Test
    void whatMavenDoesNotKnowOfIsNamedInTheVersionThatIsThere() throws Exception {
        Map<String, String> listed = new TreeMap<>();
        for (JsonNode part : new StrictJson().tree(Files.readAllBytes(Path.of("../packaging/components.json")))) {
            String purl = part.path("purl").asString("");
            if (purl.startsWith("pkg:npm/")) {
                int at = purl.lastIndexOf('@');
                listed.put(purl.substring("pkg:npm/".length(), at).replace("%40", "@"), purl.substring(at + 1));
                assertThat(part.path("version").asString("")).isEqualTo(purl.substring(at + 1));
            }
        }
        Map<String, String> there = new TreeMap<>();
        JsonNode lock = new StrictJson().tree(Files.readAllBytes(Path.of("../admin/ui/package-lock.json")));
        lock.path("packages").forEachEntry((path, part) -> {
            if (!path.isEmpty() && !part.path("dev").asBoolean(false)) {
                there.put(
                        path.substring("node_modules/".length()),
                        part.path("version").asString(""));
            }
        });
        Matcher map = Pattern.compile("maplibre-gl-js/blob/v([0-9.]+)/LICENSE")
                .matcher(Files.readString(Path.of("..", PAGE, "maplibre-gl.mjs")));
        assertThat(map.find()).isTrue();
        there.put("maplibre-gl", map.group(1));
        assertThat(listed).isEqualTo(there);
    }

    private static List<String> names(JsonNode bill) {
        List<String> names = new ArrayList<>();
        bill.path("components").forEach(part -> names.add(part.path("name").asString("")));
        return names;
    }

    /** A folder in which a package was made, although something of an earlier build lay about. */
    private Path packaged(String name) throws Exception {
        Path home = folder.resolve(name);
        if (LONG) {
            Shell.freshClone(folder, name);
            leaveSomethingBehind(home);
            new Shell(home).run(Duration.ofMinutes(15), "./ron package");
        } else {
            LauncherHome fake = standIn(name);
            leaveSomethingBehind(home);
            fake.ron("", "package");
        }
        return home;
    }

    private static void leaveSomethingBehind(Path home) throws IOException {
        Path lib = Files.createDirectories(home.resolve("node/target/dist/lib"));
        Files.writeString(lib.resolve("left-behind.jar"), home.toString());
        Files.writeString(lib.resolveSibling(".built"), "");
    }

    /** The real launcher and scripts, with stand-ins for what takes minutes. */
    private LauncherHome standIn(String name) throws IOException {
        LauncherHome home = new LauncherHome(folder.resolve(name)).withJdk();
        home.program("jdk/bin/jlink", """
                for out; do :; done
                mkdir -p "$out/bin"
                printf '#!/bin/sh\\necho words\\n' >"$out/bin/java"
                chmod +x "$out/bin/java\"""");
        home.program("bin/mvn", """
                case "$*" in
                *cyclonedx*)
                    [ -z "${NO_BILL:-}" ] || exit 1
                    printf '{\\n"bomFormat" : "CycloneDX",\\n"serialNumber" : "%s",\\n  "components" : [\\n{ "name" : "one" }\\n]\\n}\\n' "$$" >target/bom.json ;;
                *)
                    cd node/target && mkdir -p dist/lib dist/native dist/packs
                    echo jar >dist/ron.jar && echo jar >dist/lib/one.jar && echo so >dist/native/one.so ;;
                esac""");
        Files.createDirectories(home.at("node/target"));
        Files.writeString(home.at("LICENSE"), "free");
        Files.createDirectories(home.at(PAGE));
        for (String license : List.of("maplibre-gl.LICENSE.txt", "glyphs.LICENSE.txt")) {
            Files.copy(Path.of("..", PAGE, license), home.at(PAGE).resolve(license));
        }
        Files.createDirectories(home.at("packaging"));
        try (Stream<Path> shipped = Files.list(Path.of("../packaging"))) {
            for (Path file : shipped.toList()) {
                Files.copy(file, home.at("packaging").resolve(file.getFileName()));
            }
        }
        return home;
    }

    private static Path archive(Path home) throws IOException {
        try (Stream<Path> made = Files.list(home.resolve("target"))) {
            return made.filter(file -> file.toString().endsWith(".tar.gz"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static String hash(Path home) throws IOException, InterruptedException {
        return new Shell(home.resolve("target"))
                .run(Duration.ofMinutes(1), "sha256sum -c *.sha256 >&2 && cut -d' ' -f1 *.sha256 && :")
                .lines()
                .filter(line -> line.matches("[0-9a-f]{64}"))
                .findFirst()
                .orElseThrow();
    }

    private Path unpacked(Path home) throws IOException, InterruptedException {
        Path to = Files.createDirectory(folder.resolve("unpacked"));
        new Shell(to).run(Duration.ofMinutes(2), "tar --strip-components=1 -xzf '" + archive(home) + "'");
        return to;
    }

    /** As it was unpacked, with its own Java: it comes up, says that it is ready, and records what it does. */
    private void runs(Path distribution) throws Exception {
        Path work = Files.createDirectory(folder.resolve("work"));
        Shell shell = new Shell(work);
        Process node =
                shell.start(work.resolve("node.txt"), "exec ../unpacked/ron up --port-base 0 --ports-file ports.json");
        try {
            Eventually.await("it is up", () -> Files.exists(work.resolve("ports.json")) || !node.isAlive());
            JsonNode ports = new StrictJson().tree(Files.readAllBytes(work.resolve("ports.json")));
            String ops = "http://127.0.0.1:" + ports.path("ops").asInt(0);
            assertThat(shell.run(Duration.ofMinutes(1), "curl -s -i --retry 20 --retry-delay 1 " + ops + "/readyz"))
                    .startsWith("HTTP/1.1 200");
            String profile = shell.run(Duration.ofMinutes(2), "../unpacked/ron profile 1s --url " + ops);
            assertThat(profile).contains(".jfr");
            assertThat(distribution.resolve("runtime/bin/javac")).doesNotExist();
        } finally {
            Shell.end(node);
        }
    }
}
