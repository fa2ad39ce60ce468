package dev.ron.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Whatever {@code ron} command a page shows, in a block or in a sentence, is one that the program understands. */
final class DocumentedCommandsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```([a-z]*)\\n(.*?)^```$");
    private static final Pattern IN_BLOCK =
            Pattern.compile("(?:^|[(|;&] ?|/opt/ron/)(?:\\./)?ron +([a-z][^|;&>)#\\n]*)", Pattern.MULTILINE);
    private static final Pattern IN_LINE = Pattern.compile("`(?:\\./)?ron ([a-z][^`|]*)`");
    private static final Pattern WORD = Pattern.compile("'[^']*'|\"[^\"]*\"|\\S+");

    @Test
    void everyCommandThatAPageShowsIsUnderstood() throws IOException {
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        CommandLine ron = RonCommand.commandLine();
        for (Path page : pages()) {
            for (String command : commands(Files.readString(page))) {
                seen++;
                String problem = problem(ron, command);
                if (!problem.isEmpty()) {
                    wrong.add(ROOT.relativize(page) + ": ron " + command + ": " + problem);
                }
            }
        }
        assertThat(seen).isGreaterThan(60);
        assertThat(wrong).isEmpty();
    }

    static List<String> commands(String page) {
        List<String> commands = new ArrayList<>();
        for (MatchResult block : BLOCK.matcher(page).results().toList()) {
            String joined = block.group(2).replaceAll("\\\\\\n\\s*", " ");
            IN_BLOCK.matcher(joined)
                    .results()
                    .forEach(found -> commands.add(found.group(1).strip()));
        }
        String prose = BLOCK.matcher(page).replaceAll("");
        IN_LINE.matcher(prose)
                .results()
                .forEach(found -> commands.add(found.group(1).strip()));
        return commands;
    }

    /** A sentence may name a command without what it needs, or several at once: then only its name counts. */
    private static String problem(CommandLine ron, String command) {
        List<String> words = WORD.matcher(command)
                .results()
                .map(word -> word.group().replaceAll("^[\"']|[\"']$", ""))
                .toList();
        try {
            ron.parseArgs(words.toArray(String[]::new));
            return "";
        } catch (ParameterException e) {
            String said = String.valueOf(e.getMessage());
            return said.startsWith("Missing required") ? "" : said;
        }
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(path -> path.toString().endsWith(".md"))
                    .filter(path -> !path.toString().contains("reference"))
                    .forEach(pages::add);
        }
        return pages;
    }
}
