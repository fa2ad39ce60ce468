package dev.ron.service.seeds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One {@code docs/design/seeds/<service>.md}: rows {@code | item | claim | proof |}.
 *
 * <p>A proof is {@code `module/TestClass#method`}, several of them separated by {@code <br>}, or {@code issue: <service>}
 * for what a module will prove that does not exist yet; once the module is there, the marker is a complaint.
 */
final class CoverageTable {
    private static final Pattern PROOF = Pattern.compile("`([a-z]+)/(\\w+)#(\\w+)`");
    private static final Pattern PENDING = Pattern.compile("issue: ([a-z]+)");
    private static final Pattern OWNER = Pattern.compile("(?m)^Owner: \\S.*$");
    private static final Pattern REVIEWED = Pattern.compile("(?m)^Last reviewed: \\d{4}-\\d{2}-\\d{2}$");

    private static final Pattern TEST = Pattern.compile(
            "@(?:Test|TestFactory|Property|ParameterizedTest|RepeatedTest|FuzzTest|Operation|Actor)\\b");

    private final Path project;

    CoverageTable(Path project) {
        this.project = project;
    }

    /** Everything that is wrong with a document; empty when every row holds. */
    List<String> complaints(String name, String text) {
        List<String> found = new ArrayList<>();
        if (!OWNER.matcher(text).find()) {
            found.add(name + ": no owner (expected: a line \"Owner: ...\")");
        }
        if (!REVIEWED.matcher(text).find()) {
            found.add(name + ": no review (expected: a line \"Last reviewed: YYYY-MM-DD\")");
        }
        Set<String> items = new HashSet<>();
        int rows = 0;
        for (String line : text.lines().filter(l -> l.startsWith("|")).toList()) {
            List<String> cells = cells(line);
            if (cells.size() != 3) {
                found.add(name + ": not a row of three cells: " + line);
            } else if (!cells.getFirst().equals("item") && !cells.getFirst().matches(":?-+:?")) {
                rows++;
                row(name, cells, items, found);
            }
        }
        if (rows == 0) {
            found.add(name + ": no rows");
        }
        return found;
    }

    private void row(String name, List<String> cells, Set<String> items, List<String> found) {
        String at = name + ": item " + cells.getFirst();
        if (cells.stream().anyMatch(String::isEmpty)) {
            found.add(at + ": an empty cell");
            return;
        }
        if (!items.add(cells.getFirst())) {
            found.add(at + ": twice");
        }
        for (String proof : cells.get(2).split("<br>", -1)) {
            Matcher test = PROOF.matcher(proof.strip());
            Matcher pending = PENDING.matcher(proof.strip());
            if (test.matches()) {
                test(at, test.group(1), test.group(2), test.group(3), found);
            } else if (!pending.matches()) {
                found.add(at + ": \"" + proof.strip() + "\" (expected: `module/TestClass#method` or issue: <service>)");
            } else if (Files.isDirectory(project.resolve(pending.group(1)).resolve("src"))) {
                found.add(at + ": still pending although module " + pending.group(1) + " exists");
            }
        }
    }

    private void test(String at, String module, String testClass, String method, List<String> found) {
        List<Path> files = sources(module, testClass);
        if (files.isEmpty()) {
            found.add(at + ": no test class " + testClass + " in " + module);
            return;
        }
        if (files.stream().noneMatch(f -> declares(read(f), method))) {
            found.add(at + ": " + testClass + " has no test " + method);
        }
    }

    /** Whether a method of that name stands under an annotation that makes it a test, without a blank line between. */
    private static boolean declares(String source, String method) {
        Matcher at = Pattern.compile("\\n +(?!return|throw|new)[\\w.<>, ]+ " + method + "\\(")
                .matcher(source);
        while (at.find()) {
            String above = source.substring(Math.max(0, source.lastIndexOf("\n\n", at.start())), at.end());
            if (TEST.matcher(above).find()) {
                return true;
            }
        }
        return false;
    }

    private List<Path> sources(String module, String testClass) {
        Path folder = project.resolve(module).resolve("src");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(f -> f.endsWith(testClass + ".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> cells(String line) {
        String[] parts = line.strip().split("(?<!\\\\)\\|", -1);
        List<String> cells = new ArrayList<>();
        for (int i = 1; i < parts.length - 1; i++) {
            cells.add(parts[i].strip());
        }
        return cells;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
