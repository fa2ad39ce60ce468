package dev.ron.service.config;

import static dev.ron.service.config.ConfigLoaderTest.errors;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigErrorsTest {
    @TempDir
    Path dir;

    @Test
    void misspeltKeyNamesFileLineAndNearestKey() throws IOException {
        assertThat(toml("[gateway]\n\n[gateway.drr]\ndefault_quantm = 2\n"))
                .containsExactly("ron.toml:4: gateway.drr.default_quantm: unknown key (did you mean default_quantum?)");
    }

    @Test
    void keyInTheWrongTableNamesTheRightOne() throws IOException {
        assertThat(toml("[gateway]\ndefault_quantum = 2\n"))
                .containsExactly(
                        "ron.toml:2: gateway.default_quantum: unknown key (did you mean gateway.drr.default_quantum?)");
    }

    @Test
    void whatTheProgramBringsItselfMustBeRightToo() {
        Section<Sample.NodeConfig> node = Section.of("node", Sample.NodeConfig.class);
        assertThat(ConfigLoader.builtIn(node, Map.of("profile", "micro")).profile())
                .isEqualTo("micro");
        assertThatThrownBy(() -> ConfigLoader.builtIn(node, Map.of("profil", "micro")))
                .hasMessageContaining("did you mean profile?");
    }

    @Test
    void unknownSectionNamesTheNearest() throws IOException {
        assertThat(toml("[gatway]\nx = 1\n"))
                .containsExactly("ron.toml:1: gatway: unknown section (did you mean gateway?)");
        assertThat(toml("[zzz]\nx = 1\n"))
                .containsExactly("ron.toml:1: zzz: unknown section (known here: node, gateway)");
    }

    @Test
    void outOfRangeSaysValueAndBounds() throws IOException {
        assertThat(
                        toml(
                                "[gateway]\nmax_conns = 0\nrequest_timeout = \"1ms\"\nmax_body_bytes = \"9MiB\"\nshed_ratio = 1.5\n"))
                .containsExactly(
                        "ron.toml:2: gateway.max_conns: 0 (expected: 1..65535)",
                        "ron.toml:3: gateway.request_timeout: \"1ms\" (expected: 100ms..5m)",
                        "ron.toml:4: gateway.max_body_bytes: \"9MiB\" (expected: at most 8MiB)",
                        "ron.toml:5: gateway.shed_ratio: 1.5 (expected: 0..1)");
    }

    @Test
    void wrongTypeIsNeverConverted() throws IOException {
        assertThat(toml("""
                [gateway]
                max_conns = "7"
                bind_addr = 8080
                tags = 5
                cert_path = ""
                drr = 3
                routes = "x"
                [node]
                danger_ok = "yes"
                profile = 1
                """))
                .containsExactly(
                        "ron.toml:9: node.danger_ok: \"yes\" (expected: true or false)",
                        "ron.toml:10: node.profile: 1 (expected: a string)",
                        "ron.toml:2: gateway.max_conns: \"7\" (expected: 1..65535)",
                        "ron.toml:3: gateway.bind_addr: 8080 (expected: host:port such as 127.0.0.1:8080)",
                        "ron.toml:4: gateway.tags: 5 (expected: a list)",
                        "ron.toml:5: gateway.cert_path: \"\" (expected: a path)",
                        "ron.toml:6: gateway.drr: 3 (expected: a table; set its keys one by one: gateway.drr.<key>)",
                        "ron.toml:7: gateway.routes: \"x\" (expected: a table; set its keys one by one: gateway.routes.<name>)");
    }

    @Test
    void bareNumbersAreNotDurations() throws IOException {
        assertThat(toml("[gateway]\nrequest_timeout = 5\n[gateway.drr]\nmax_queue_wait = \"5\"\nmode = \"fast\"\n"))
                .containsExactly(
                        "ron.toml:2: gateway.request_timeout: 5 (expected: 100ms..5m)",
                        "ron.toml:5: gateway.drr.mode: \"fast\" (expected: auto, always_on, off)",
                        "ron.toml:4: gateway.drr.max_queue_wait: \"5\" (expected: a duration such as 250ms, 5s, 3m or 1h)");
    }

    @Test
    void missingKeyIsNamedAtItsTable() throws IOException {
        assertThat(toml("[gateway.routes.demo]\npath = \"/\"\n"))
                .containsExactly(
                        "ron.toml:1: gateway.routes.demo.upstream: missing (expected: a URL such as http://127.0.0.1:8080)");
    }

    @Test
    void brokenRuleShowsTheValueAndTheRule() throws IOException {
        assertThat(
                        toml(
                                "[gateway.drr]\nmax_queue_wait = \"3s\"\n[gateway.routes.x]\nupstream = \"http://a.test\"\nopen = true\n"))
                .containsExactly(
                        "ron.toml:2: gateway.drr.max_queue_wait: 3s (must be shorter than gateway.request_timeout)",
                        "ron.toml:3: gateway.routes.x: an open route needs node.danger_ok");
    }

    @Test
    void aRuleWhoseRecordIsWrongStaysSilent() throws IOException {
        assertThat(toml("[gateway]\nmax_conns = 0\n[gateway.drr]\nmax_queue_wait = \"3s\"\n"))
                .hasSize(1);
    }

    @Test
    void aRecordMayRefuseItsOwnValues() throws IOException {
        assertThat(toml("[[gateway.targets]]\naddr = \"h:1\"\n[[gateway.targets]]\naddr = \"h:99999\"\n"))
                .containsExactly(
                        "ron.toml:1: gateway.targets[0]: port 1 is not a target",
                        "ron.toml:4: gateway.targets[1].addr: \"h:99999\" (expected: host:port such as 127.0.0.1:8080)");
    }

    @Test
    void variablesAndFlagsNameThemselves() {
        assertThat(errors(Sources.none()
                        .withEnv(Map.of("RON__GATEWAY__MAX_CONS", "1", "RON__GATEWAY__SHED_RATIO", "NaN"))
                        .withSet("gateway.max_conns=many")
                        .withSet("gateway.drr.mode")
                        .withFlag("--profile", "node.profil", "micro")))
                .containsExactlyInAnyOrder(
                        "--set: gateway.drr.mode: no value (expected: key=value)",
                        "--profile: node.profil: unknown key (did you mean profile?)",
                        "env RON__GATEWAY__MAX_CONS: gateway.max_cons: unknown key (did you mean max_conns?)",
                        "--set: gateway.max_conns: many (expected: 1..65535)",
                        "env RON__GATEWAY__SHED_RATIO: gateway.shed_ratio: NaN (expected: 0..1)");
    }

    @Test
    void contradictingAssignmentsAreRefused() {
        assertThat(errors(Sources.none().withSet("gateway.drr=1").withSet("gateway.drr.mode=off")))
                .contains("--set: gateway.drr.mode: is below --set, which sets one value");
        assertThat(errors(Sources.none().withSet("gateway..x=1"))).contains("--set: gateway..x: empty part in the key");
    }

    @Test
    void inlineSecretIsRefusedAndNotShown() throws IOException {
        assertThat(toml("[gateway]\nadmin_key = \"s3cret\"\n"))
                .singleElement()
                .asString()
                .startsWith("ron.toml:2: gateway.admin_key: a secret in plain sight")
                .doesNotContain("s3cret");
        assertThat(errors(Sources.none().withSet("gateway.admin_key=s3cret")).toString())
                .doesNotContain("s3cret");
    }

    @Test
    void secretTwiceOrLostIsAnError() throws IOException {
        assertThat(toml("[gateway]\nadmin_key_file = \"/nowhere/key\"\n"))
                .containsExactly("ron.toml:2: gateway.admin_key: no such file: /nowhere/key");
        assertThat(errors(Sources.none()
                        .withEnv(Map.of("RON__GATEWAY__ADMIN_KEY", "a", "RON__GATEWAY__ADMIN_KEY_FILE", "/nowhere"))))
                .contains(
                        "env RON__GATEWAY__ADMIN_KEY_FILE: gateway.admin_key_file: set beside admin_key: keep one of the two");
    }

    @Test
    void syntaxErrorsAndDuplicatesNameTheLine() throws IOException {
        assertThat(toml("[gateway]\nmax_conns = \n")).singleElement().asString().startsWith("ron.toml:2: ");
        assertThat(toml("[gateway]\nmax_conns = 1\nmax_conns = 2\n"))
                .singleElement()
                .asString()
                .startsWith("ron.toml:3: ")
                .contains("max_conns");
    }

    @Test
    void inputThatTripsTheParserIsAnErrorToo() throws IOException {
        assertThat(toml("[gateway]#[gateway]\0")).isNotEmpty().allMatch(e -> e.startsWith("ron.toml"));
        assertThat(toml("a = " + "[".repeat(500_000))).isNotEmpty().allMatch(e -> e.startsWith("ron.toml"));
    }

    @Test
    void unreadableFileIsNamed() {
        assertThat(errors(Sources.none().withFile(dir.resolve("absent.toml"))))
                .containsExactly("absent.toml: no such file: " + dir.resolve("absent.toml"));
    }

    @Test
    void controlCharactersInValuesCannotForgeALine() throws IOException {
        assertThat(toml("[gateway.drr]\nmode = \"x\\nron.toml:1: fine\"\n"))
                .singleElement()
                .asString()
                .doesNotContain("\n");
    }

    record Tls(Path cert, Path key) {}

    record Listener(Optional<Tls> tls, HostPort addr) {}

    @Test
    void aTableThatMayBeAbsentIsWholeWhenPresent() throws IOException {
        Path file = Files.writeString(dir.resolve("ron.toml"), "[web]\naddr = \"a:1\"\n[web.tls]\ncert = \"c\"\n");
        List<Section<?>> web = List.of(Section.of("web", Listener.class));
        assertThat(ConfigLoader.load(web, Sources.none().withFile(file)))
                .isInstanceOfSatisfying(
                        ConfigResult.Rejected.class,
                        r -> assertThat(r.text()).isEqualTo("ron.toml:3: web.tls.key: missing (expected: a path)"));
        assertThat(ConfigLoader.load(web, Sources.none().withSet("web.addr=a:1")))
                .isInstanceOfSatisfying(
                        ConfigResult.Loaded.class,
                        l -> assertThat(l.config().section(Listener.class).tls())
                                .isEmpty());
        assertThat(ConfigLoader.load(
                        web,
                        Sources.none()
                                .withSet("web.addr=a:1")
                                .withSet("web.tls.cert=c")
                                .withSet("web.tls.key=k")))
                .isInstanceOfSatisfying(
                        ConfigResult.Loaded.class,
                        l -> assertThat(l.config().section(Listener.class).tls())
                                .contains(new Tls(Path.of("c"), Path.of("k"))));
    }

    @Test
    void aBrokenFileIsNotAlsoBlamedForWhatItMaySet() throws IOException {
        Path file = Files.writeString(dir.resolve("ron.toml"), "[web]\naddr = \"a:1\"\n[\n");
        List<Section<?>> web = List.of(Section.of("web", Listener.class));
        assertThat(ConfigLoader.load(web, Sources.none().withFile(file)))
                .isInstanceOfSatisfying(
                        ConfigResult.Rejected.class, r -> assertThat(r.text()).doesNotContain("missing"));
    }

    record Bad(Thread worker) {}

    @Test
    void aRecordThatCannotBeBoundIsABugNamedAtStart() {
        assertThatThrownBy(() -> ConfigLoader.load(List.of(Section.of("bad", Bad.class)), Sources.none()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Bad.worker");
    }

    private List<String> toml(String text) throws IOException {
        return errors(Sources.none().withFile(Files.writeString(dir.resolve("ron.toml"), text)));
    }
}
