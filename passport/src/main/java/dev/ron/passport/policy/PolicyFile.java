package dev.ron.passport.policy;

import dev.ron.ledger.Refused;
import dev.ron.passport.kms.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last good bundle and the second it was confirmed at, so that a restart without a registry neither stops issuing nor
 * makes the policy younger than it is.
 *
 * <p>The first line is the second, the rest is the bundle as the registry sent it; it is verified again when it is read.
 */
public final class PolicyFile {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyFile.class);

    private final Optional<Path> file;

    /** What was kept. */
    record Kept(Offer offer, long confirmedAt) {}

    /** @param file empty where nothing is written */
    public PolicyFile(Optional<Path> file) {
        this.file = file;
    }

    void keep(Kept kept) {
        if (file.isEmpty()) {
            return;
        }
        String text = kept.confirmedAt() + "\n" + kept.offer().bundle();
        try {
            DurableFile.replace(file.get(), text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It is in force all the same; only a restart without a registry will miss it.
            LOG.warn("the policy could not be kept in {}: {}", file.get(), e.toString());
        }
    }

    /** Empty where there is none that this reader believes. */
    Optional<Kept> read(PolicyBundle reader) {
        if (file.isEmpty() || !Files.exists(file.get())) {
            return Optional.empty();
        }
        try {
            String text = Files.readString(file.get());
            int line = text.indexOf('\n');
            long confirmedAt = Long.parseLong(text.substring(0, Math.max(0, line)));
            return Optional.of(
                    new Kept(reader.read(text.substring(line + 1).getBytes(StandardCharsets.UTF_8)), confirmedAt));
        } catch (IOException | NumberFormatException | Refused e) {
            LOG.warn("the policy kept in {} is left aside: {}", file.get(), e.getMessage());
            return Optional.empty();
        }
    }
}
