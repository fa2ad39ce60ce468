package dev.ron.admin.panel;

import dev.ron.admin.series.Readings;
import dev.ron.admin.view.Panels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The log's head, and what waits for approval with the command that approves it. */
final class RegistryPanel {
    private static final String UPDATES = "registry_updates_total";
    private static final String HEAD = "registry_head_version";
    private static final String CHECKPOINT_AGE = "registry_checkpoint_age_seconds";
    private static final String PENDING = "registry_pending_proposals";
    private static final String LATENCY = "request_latency_seconds";
    static final List<String> METRICS = List.of(UPDATES, HEAD, CHECKPOINT_AGE, PENDING, LATENCY);

    private static final String COMMIT = "/registry/commit/{id}";

    /** It is pasted into a shell, so nothing that a shell would read gets through. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    private RegistryPanel() {}

    static Panels.Registry of(@Nullable String cause, Told own, Readings readings, String approveFlags) {
        Told head = own.part("head");
        List<Panels.Proposal> pending = new ArrayList<>();
        for (Told proposal : own.parts("pending")) {
            String id = proposal.text("proposal_id");
            if (id != null && ID.matcher(id).matches()) {
                pending.add(new Panels.Proposal(
                        id,
                        proposal.text("title"),
                        proposal.whole("approvals"),
                        proposal.whole("quorum"),
                        proposal.number("age_seconds"),
                        "./ron registry approve " + id + " " + approveFlags));
            }
        }
        String hash = own.text("hash");
        return new Panels.Registry(
                cause == null,
                cause,
                Told.firstOf(Told.firstOf(own.number("version"), head.number("version")), readings.sum(HEAD)),
                hash != null ? hash : head.text("hash"),
                readings.sum(UPDATES, Map.of("result", "accepted")),
                readings.millis(0.95, LATENCY, List.of("service", "route"), List.of("registry", COMMIT)),
                Told.firstOf(
                        readings.sum(CHECKPOINT_AGE), own.part("checkpoint").number("age_seconds")),
                own.part("verify").flag("ok"),
                Told.firstOf(readings.sum(PENDING), own.number("pending_proposals")),
                pending);
    }
}
