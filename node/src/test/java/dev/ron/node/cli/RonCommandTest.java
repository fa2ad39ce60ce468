package dev.ron.node.cli;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.json.StrictJson;
import dev.ron.node.ExitCode;
import dev.ron.node.cli.Ron.Said;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** What a person types and reads back. */
final class RonCommandTest {
    @TempDir
    Path folder;

    private static JsonNode json(String text) {
        return new StrictJson().tree(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void unknownCommandSuggestsTheNearest() {
        Said said = ron("stauts");
        assertThat(said.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(said.err()).contains("there is no command 'stauts'", "did you mean: ron status", "try: ron --help");
        assertThat(ron("status", "--prt-base", "1").err())
                .contains(
                        "there is no option '--prt-base' here", "did you mean: --port-base", "try: ron status --help");
        assertThat(ron("status", "now").err()).contains("one word too many: 'now'");
    }

    @Test
    void theFirstPageListsEveryCommandOnceByWhatItIsFor() {
        String page = ron("--help").out();
        assertThat(page)
                .contains("A running node", "Begin", "Start here: ron up")
                .doesNotContain("Commands:");
        CommandLine ron = RonCommand.commandLine();
        assertThat(CommandGroups.ALL.values().stream().flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(ron.getSubcommands().values().stream()
                        .filter(command ->
                                !command.getCommandSpec().usageMessage().hidden())
                        .map(CommandLine::getCommandName)
                        .toList())
                .allMatch(name -> page.contains("\n  " + name + " "));
        assertThat(page.lines()).allMatch(line -> line.length() <= 120);
    }

    @Test
    void unknownFlagIsAUsageError() {
        assertThat(ron("up", "--nope").code()).isEqualTo(ExitCode.USAGE.code());
    }

    @Test
    void everyCommandHasHelp() {
        for (String command : new String[] {"up", "check", "config", "status", "reload", "doctor", "version"}) {
            Said said = ron(command, "--help");
            assertThat(said.code()).as(command).isZero();
            assertThat(said.out()).as(command).contains("Usage: ron " + command);
        }
        assertThat(ron("config", "show", "--help").out()).contains("Usage: ron config show");
    }

    @Test
    void configShowNamesTheSourceOfEveryValue() {
        Said said = ron("config", "show", "--set", "node.shutdown.drain_deadline=3s", "--port-base", "9000");
        assertThat(said.code()).isZero();
        assertThat(said.out())
                .containsPattern("node\\.shutdown\\.drain_deadline +3s +--set")
                .containsPattern("node\\.port_base +9000 +--port-base")
                .containsPattern("node\\.bind +127\\.0\\.0\\.1 +default");
    }

    @Test
    void aTokenIsExplainedAsADocumentForScripts() {
        Said said = ron("token", "inspect", "--json", "pct1~nonsense");
        assertThat(said.code()).isEqualTo(ExitCode.NO.code());
        JsonNode document = json(said.out());
        assertThat(document.path("ok").asBoolean(true)).isFalse();
        assertThat(document.path("objections").path(0).path("reason").asString())
                .isEqualTo("bad_proof"); // the only part there is stands where the proof belongs
    }

    @Test
    void configShowAndSchemaAreJsonForScripts() {
        assertThat(json(ron("config", "show", "--json").out()).isArray()).isTrue();
        assertThat(json(ron("config", "schema").out()).path("properties").has("node"))
                .isTrue();
        assertThat(json(ron("version", "--json").out()).has("git_sha")).isTrue();
    }

    @Test
    void initWritesAFileThatChangesNothingAndIsWrittenOnce() throws IOException {
        Path file = folder.resolve("ron.toml");
        assertThat(ron("init", "--config", file.toString()).code()).isZero();
        assertThat(ron("config", "show", "--config", file.toString()).out())
                .isEqualTo(ron("config", "show").out());
        assertThat(Files.readString(file)).contains("[node.shutdown]", "# drain_deadline = \"10s\"");
        Said again = ron("init", "--config", file.toString());
        assertThat(again.code()).isEqualTo(ExitCode.NO.code());
        assertThat(again.err()).contains("is there already");
    }

    /** Whoever takes the "#" away from a default changes nothing either. */
    @Test
    void everyDefaultOfTheWrittenFileIsTheDefault() throws IOException {
        Path file = folder.resolve("ron.toml");
        ron("init", "--config", file.toString());
        String uncommented = Files.readString(file)
                .lines()
                .takeWhile(line -> !line.startsWith("# ["))
                .map(line -> line.matches("# [a-z0-9_]+ = [^.].*") ? line.substring(2) : line)
                .collect(Collectors.joining("\n"));
        Files.writeString(file, uncommented);
        Said said = ron("config", "show", "--json", "--config", file.toString());
        assertThat(said.err()).isEmpty();
        assertThat(valuesOf(said.out()))
                .isEqualTo(valuesOf(ron("config", "show", "--json").out()));
    }

    private static Map<String, String> valuesOf(String listing) {
        Map<String, String> values = new TreeMap<>();
        json(listing)
                .forEach(row ->
                        values.put(row.path("key").asString(), row.path("value").asString()));
        return values;
    }

    @Test
    void shellsAndManualsGetEveryCommand() {
        assertThat(ron("completion").out()).contains("complete", "ron", "rotate");
        assertThat(ron("completion").out()).contains("package", "bench");
        assertThat(ron("man").out())
                .startsWith(".TH RON 1")
                .contains(".SS ron token attenuate", ".SS ron test", ".SS ron package", "RON_CLIENT_KEY");
    }

    @Test
    void theManualTellsEveryExitCode() {
        String man = ron("man").out();
        String section = man.substring(man.indexOf(".SH EXIT STATUS"));
        for (ExitCode code : ExitCode.values()) {
            assertThat(section)
                    .contains(".B " + code.code() + "\n" + code.meaning().replace("-", "\\-"));
        }
    }

    @Test
    void whatTheLauncherDoesIsSaidToWhoeverComesWithoutIt() {
        Said said = ron("bench", "host", "--quick");
        assertThat(said.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(said.err()).contains("./ron bench", "checkout");
        assertThat(ron("bench", "host", "--quik").err()).contains("--quik", "ron bench --help");
    }

    @Test
    void aPackIsVerifiedAsADocumentForScripts() throws IOException {
        Path pack = folder.resolve("world.pmtiles");
        assertThat(ron("pack", "demo", pack.toString()).code()).isZero();
        JsonNode good = json(ron("pack", "verify", pack.toString(), "--json").out());
        assertThat(good.path("ok").asBoolean(false)).isTrue();
        assertThat(good.path("tiles_read").asInt(0)).isEqualTo(5461);
        assertThat(good.path("digest").asString("")).startsWith("b3:");
        byte[] bytes = Files.readAllBytes(pack);
        Files.write(pack, java.util.Arrays.copyOf(bytes, bytes.length / 2));
        Said bad = ron("pack", "verify", pack.toString(), "--json");
        assertThat(bad.code()).isEqualTo(ExitCode.NO.code());
        assertThat(json(bad.out()).path("ok").asBoolean(true)).isFalse();
        assertThat(json(bad.out()).path("problems").isEmpty()).isFalse();
    }

    @Test
    void badValueSaysWhatWasExpected() {
        Said said = ron("config", "show", "--port-base", "70000");
        assertThat(said.code()).isEqualTo(ExitCode.BAD_CONFIG.code());
        assertThat(said.err()).contains("70000", "expected");
    }

    @Test
    void publicBindMustBeMeant() {
        Said said = ron("check", "--bind", "0.0.0.0");
        assertThat(said.code()).isEqualTo(ExitCode.BAD_CONFIG.code());
        assertThat(said.out()).contains("danger_ok");
    }

    @Test
    @Timeout(60)
    void theDemoIsNeverPublicEvenWhereAPublicBindIsMeant() throws IOException {
        Path file = folder.resolve("ron.toml");
        Files.writeString(file, "[node]\nbind = \"0.0.0.0\"\ndanger_ok = true\n");
        List<List<String>> demos = List.of(
                List.of("--bind", "0.0.0.0", "--set", "node.danger_ok=true"),
                List.of("--config", file.toString(), "--demo"));
        for (List<String> demo : demos) {
            for (String command : List.of("check", "doctor", "up")) {
                List<String> line = new ArrayList<>(List.of(command, "--port-base", "0"));
                line.addAll(List.of("--data", folder.resolve("data").toString()));
                line.addAll(demo);
                Said said = ron(line.toArray(String[]::new));
                assertThat(said.code()).as("%s", line).isEqualTo(ExitCode.BAD_CONFIG.code());
                assertThat(said.out() + said.err()).contains("the demo never listens beyond this machine", "0.0.0.0");
            }
        }
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void checkFindsAFreeMachineGood() {
        Said said = ron(
                "check", "--port-base", "0", "--data", folder.resolve("data").toString());
        assertThat(said.out()).contains("gateway, edge, passport, registry, admin were built in memory", "all good");
        assertThat(said.code()).isZero();
    }

    @Test
    void checkFindsWhatOnlyBuildingFinds() throws IOException {
        Path file = folder.resolve("ron.toml");
        Files.writeString(file, """
                [gateway.tls]
                enabled = true
                cert_path = "%1$s/no.pem"
                key_path = "%1$s/no.key"
                """.formatted(folder));
        Said said = ron(
                "check",
                "--config",
                file.toString(),
                "--port-base",
                "0",
                "--data",
                folder.resolve("data").toString());
        assertThat(said.code()).isEqualTo(ExitCode.NO.code());
        assertThat(said.out()).contains("TLS cannot be offered", "no.pem", "ron cert dev");
    }

    @Test
    void doctorLooksAtTheMachine() {
        Said said = ron(
                "doctor", "--port-base", "0", "--data", folder.resolve("data").toString());
        assertThat(said.out()).contains("java", "transport", "tls", "open files", "disk");
    }

    @Test
    void noNodeToTalkToSaysHowToStartOne() {
        Said said = ron("status", "--url", "http://127.0.0.1:1");
        assertThat(said.code()).isEqualTo(ExitCode.NO.code());
        assertThat(said.err()).contains("no node answers at http://127.0.0.1:1", "./ron up");
    }

    /** What, why with the value, and what to do; never a stack trace. */
    @Test
    void whatIsTypedWrongIsExplainedInThreeLines() throws IOException {
        for (String base : List.of("0", "-1", "65530", "65535")) {
            threeLines(ron("status", "--port-base", base), ExitCode.USAGE, "--port-base: " + base, "1..65529", "--url");
        }
        String missing = folder.resolve("missing.pem").toString();
        threeLines(
                ron("status", "--url", "https://127.0.0.1:1", "--ca", missing),
                ExitCode.USAGE,
                "--ca cannot be used",
                missing,
                "PEM");
        threeLines(ron("why", "a b", "--url", "http://127.0.0.1:1"), ExitCode.NO, "no node answers");
        threeLines(
                ron("registry", "show", "a b", "--registry-url", "http://127.0.0.1:1"), ExitCode.NO, "no node answers");
        for (String every : List.of("0", "-1", "9")) {
            threeLines(ron("top", "--every", every), ExitCode.USAGE, "--every: " + every, "10 or more", "--every 1000");
        }
        threeLines(ron("token", "attenuate", "x"), ExitCode.USAGE, "nothing to narrow", "--ttl");
        threeLines(ron("token", "attenuate", "--ttl", "1 day", "x"), ExitCode.USAGE, "--ttl: 1 day", "10m");
        threeLines(ron("token", "attenuate", "--ttl", "1m", "x"), ExitCode.NO, "narrowed", "ron token inspect");
        threeLines(ron("registry", "verify", missing), ExitCode.NO, missing, "ron registry bundle");
        threeLines(ron("registry", "verify", missing, "--genesis", "x"), ExitCode.USAGE, "--genesis: x", "b3:...");
        threeLines(ron("registry", "propose"), ExitCode.USAGE, "nothing to propose", "--put");
        threeLines(ron("registry", "propose", "--file", missing), ExitCode.NO, missing);
        threeLines(ron("registry", "key", "ann", "--out", missing), ExitCode.USAGE, "org:NAME#WHO", "--help");
        Path file = Files.writeString(folder.resolve("file"), "");
        threeLines(
                ron("registry", "init", "--origin", "o", "--signer", file.toString()),
                ExitCode.NO,
                file + " is not a key file",
                "ron registry key");
        threeLines(
                ron("registry", "key", "org:a#b", "--out", file.toString()), ExitCode.NO, file + " is there", "--out");
        threeLines(
                ron("cert", "dev", "--out", file.resolve("tls").toString()), ExitCode.NO, file.toString(), "who owns");
    }

    private static void threeLines(Said said, ExitCode code, String... parts) {
        assertThat(said.err()).contains(parts);
        assertThat(said.err().lines()).hasSize(3);
        assertThat(said.code()).isEqualTo(code.code());
    }
}
