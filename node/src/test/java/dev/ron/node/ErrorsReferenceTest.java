package dev.ron.node;

import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.testkit.GoldenFile;
import dev.ron.ledger.Refused;
import dev.ron.registry.book.Refusals;
import dev.ron.service.keys.Bearer;
import dev.ron.token.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** docs/reference/errors.md names every code and every reason that the code gives, and no other. */
@Tag("golden")
final class ErrorsReferenceTest {
    private static final List<String> MODULES =
            List.of("kernel", "http", "service", "token", "gateway", "edge", "passport", "registry", "admin", "node");

    private static final Pattern GIVEN = Pattern.compile("\\bCode\\.([A-Z_]+),\\s*\"([a-z0-9_-]+)\"\\s*[,)]");

    /** A method that makes the failures of one code: its calls name the reason. */
    private static final Pattern MAKER = Pattern.compile(
            "RonException (\\w+)\\(String reason, String detail\\) \\{\\s*return new RonException\\(Code\\.([A-Z_]+), reason\\b");

    private static final String HEAD = """
            # Errors

            Generated from code; `./ron docs` writes it anew. A refusal is a problem document (RFC 9457): `type` is
            `urn:ron:problem:<code>`, `reason` is the word that is also the metric label and the log field, `retryable` says whether
            the same request may succeed later, and `Retry-After` when. `corr_id` is what `ron why` explains.

            ## Codes

            | code | status | retryable | title |
            | --- | --- | --- | --- |
            """;

    @Test
    void everyCodeAndReasonIsInTheReference() throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        for (Code code : Code.values()) {
            row(page, "`" + code.id() + "`", code.status() + "", code.retryable() ? "yes" : "no", code.title());
        }
        page.append("\n## Reasons\n\n| reason | code |\n| --- | --- |\n");
        given().forEach((reason, codes) -> row(page, "`" + reason + "`", String.join(", ", codes)));
        page.append("\n## Reasons for which a pack is not served\n\n| reason | code | what |\n| --- | --- | --- |\n");
        for (PackFault fault : PackFault.values()) {
            PackError error = new PackError(fault, "");
            row(page, "`" + error.reason() + "`", error.code().id(), fault.sentence());
        }
        page.append("\n## Reasons for which a token is refused\n\n| reason | code | what |\n| --- | --- | --- |\n");
        for (Reason reason : Reason.values()) {
            RonException denied = Bearer.denied(reason, "");
            row(page, "`" + reason.wire() + "`", denied.code().id(), reason.sentence());
        }
        page.append(
                "\n## Reasons for which the registry refuses what it is shown\n\n| reason | code |\n| --- | --- |\n");
        for (dev.ron.ledger.Reason reason : dev.ron.ledger.Reason.values()) {
            RonException refused = Refusals.of(new Refused(reason, ""));
            row(page, "`" + reason.wire() + "`", refused.code().id());
        }
        GoldenFile.of("reference/errors.md").matches(page.toString());
    }

    private static void row(StringBuilder page, String... cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** The codes of each reason that some line of the sources gives. */
    private static SortedMap<String, SortedSet<String>> given() throws IOException {
        TreeMap<String, SortedSet<String>> all = new TreeMap<>();
        for (String module : MODULES) {
            String source = source(module);
            GIVEN.matcher(source).results().forEach(found -> add(all, found.group(2), found.group(1)));
            for (MatchResult maker : MAKER.matcher(source).results().toList()) {
                Pattern.compile("\\b" + maker.group(1) + "\\(\\s*\"([a-z0-9_-]+)\",")
                        .matcher(source)
                        .results()
                        .forEach(call -> add(all, call.group(1), maker.group(2)));
            }
        }
        return all;
    }

    private static void add(SortedMap<String, SortedSet<String>> all, String reason, String code) {
        all.computeIfAbsent(reason, _ -> new TreeSet<>())
                .add(Code.valueOf(code).id().toLowerCase(Locale.ROOT));
    }

    private static String source(String module) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }
}
