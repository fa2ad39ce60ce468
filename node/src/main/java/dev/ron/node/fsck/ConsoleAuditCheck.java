package dev.ron.node.fsck;

import dev.ron.http.json.StrictJson;
import dev.ron.node.Findings;
import dev.ron.token.crypto.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Follows the chain of the console's audit from the bytes alone: a line's hash is last and covers all before it. */
final class ConsoleAuditCheck implements Fsck.Part {
    private static final Pattern HASH = Pattern.compile(",\"hash\":\"([0-9a-f]{64})\"}$");

    @Override
    public void check(Path folder, Findings findings) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.getFileName().toString().matches("audit-\\d+\\.jsonl"))
                    .sorted()
                    .toList();
        }
        String before = "";
        long lines = 0;
        for (Path file : files) {
            int number = 0;
            for (String line : Files.readString(file).split("\n", -1)) {
                number++;
                if (line.isEmpty()) {
                    continue;
                }
                Matcher hash = HASH.matcher(line);
                if (!hash.find() || !holds(line, hash, before)) {
                    findings.bad(
                            "console audit",
                            file.getFileName() + ": line " + number + " does not follow from the one before",
                            "a line was changed, taken out or cut short");
                    return;
                }
                before = hash.group(1);
                lines++;
            }
        }
        findings.ok("console audit", lines + " lines, each follows from the one before");
    }

    /** The oldest line that is kept has nothing before it here. */
    private static boolean holds(String line, Matcher hash, String before) {
        byte[] covered = (line.substring(0, hash.start()) + "}").getBytes(StandardCharsets.UTF_8);
        String prev = new StrictJson().tree(covered).path("prev_hash").asString("");
        boolean follows = before.isEmpty() || prev.equals(before);
        return follows && HexFormat.of().formatHex(Sha256.of(covered)).equals(hash.group(1));
    }
}
