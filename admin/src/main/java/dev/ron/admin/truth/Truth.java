package dev.ron.admin.truth;

import dev.ron.admin.truth.Verdict.State;
import dev.ron.admin.view.Cause;
import dev.ron.admin.view.NodeDetail;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The truth about a node: a pure function of its last round and how old that is.
 *
 * <p>A node is never shown greener than the worst thing it said; what it did not say is not known, which is not green
 * either. Every state but ready has a cause.
 */
public final class Truth {
    private static final int MAX_CAUSES = 8;
    private static final Set<String> READY_WORDS = Set.of("", "ok", "ready", "true");

    private final Round round;
    private final List<Cause> causes = new ArrayList<>();
    private final @Nullable JsonNode health;
    private final @Nullable JsonNode ready;
    private final @Nullable JsonNode status;
    private final @Nullable JsonNode version;

    private Truth(Round round) {
        this.round = round;
        this.health = document(round.healthz());
        this.ready = document(round.readyz());
        this.status = round.status() instanceof Answer.Said said && said.ok() ? Facts.object(said) : null;
        this.version = round.version() instanceof Answer.Said said && said.ok() ? Facts.object(said) : null;
    }

    private static @Nullable JsonNode document(Answer answer) {
        return answer instanceof Answer.Said said && !said.absent() ? Facts.object(said) : null;
    }

    /**
     * @param ageSeconds how long ago the round was
     * @param staleSeconds from when on it says nothing about now
     */
    public static Verdict of(Round round, double ageSeconds, double staleSeconds) {
        return new Truth(round).judge(ageSeconds, staleSeconds);
    }

    private Verdict judge(double ageSeconds, double staleSeconds) {
        List<NodeDetail.Plane> said =
                Facts.planes(status).stream().map(this::withUpstreams).toList();
        @Nullable Boolean isReady = readiness();
        @Nullable Boolean writes = writes(isReady);
        State state = state(ageSeconds, staleSeconds, isReady, writes, said);
        boolean serves = Boolean.TRUE.equals(isReady) && state != State.UNREACHABLE && state != State.STALE;
        List<NodeDetail.Plane> planes = said.stream()
                .map(p -> new NodeDetail.Plane(p.name(), p.health(), p.ready() && serves, p.restartCount(), p.notes()))
                .toList();
        @Nullable Boolean shown = state == State.UNREACHABLE ? Boolean.FALSE : state == State.STALE ? null : isReady;
        return new Verdict(
                state,
                shown,
                state == State.STALE ? null : state == State.UNREACHABLE ? Boolean.FALSE : writes,
                causes.stream().distinct().limit(MAX_CAUSES).toList(),
                planes,
                said(),
                partial());
    }

    /** A gateway that cannot reach what it stands for is not well, whatever it says of itself. */
    private NodeDetail.Plane withUpstreams(NodeDetail.Plane plane) {
        List<String> silent = plane.name().equals("gateway") && plane.health().equals("ok")
                ? Facts.silentUpstreams(status)
                : List.of();
        return silent.isEmpty()
                ? plane
                : new NodeDetail.Plane(
                        plane.name(),
                        "degraded",
                        plane.ready(),
                        plane.restartCount(),
                        silent.stream()
                                .map(id -> Causes.of("upstream.silent", id).text())
                                .collect(Collectors.joining("; ")));
    }

    private State state(
            double age,
            double stale,
            @Nullable Boolean isReady,
            @Nullable Boolean writes,
            List<NodeDetail.Plane> planes) {
        if (!round.anyReached()) {
            round.all().forEach(this::probeCause);
            return State.UNREACHABLE;
        }
        if (age > stale) {
            causes.add(Causes.of("round.stale", Long.toString((long) age)));
            return State.STALE;
        }
        String phase = phase();
        if (phase.equals("draining") || phase.equals("aborting") || phase.equals("stopped")) {
            causes.add(Causes.of("phase", phase));
            return State.DRAINING;
        }
        if (unwell()) {
            readyCauses();
            return State.DOWN;
        }
        boolean failing = planes.stream().anyMatch(p -> p.health().equals("fail"));
        if (Boolean.FALSE.equals(isReady) || failing) {
            readyCauses();
            planeCauses(planes);
            round.all().forEach(this::probeCause);
            return State.NOT_READY;
        }
        if (isReady == null) {
            causes.add(Causes.of("ready.unknown"));
            round.all().forEach(this::probeCause);
            return State.UNKNOWN;
        }
        readyCauses();
        planeCauses(planes);
        round.all().forEach(this::probeCause);
        boolean degraded = degraded() || Boolean.FALSE.equals(writes) || !causes.isEmpty();
        return degraded ? State.DEGRADED : State.READY;
    }

    private boolean unwell() {
        if (round.healthz() instanceof Answer.Said said && !said.absent() && !said.ok()) {
            causes.add(Causes.of("healthz.status", Integer.toString(said.status())));
            return true;
        }
        if (Boolean.FALSE.equals(Facts.flag(health, "ok"))) {
            causes.add(Causes.of("healthz.not_ok"));
            return true;
        }
        return false;
    }

    /** True only where nothing said otherwise; null where nobody said. */
    private @Nullable Boolean readiness() {
        @Nullable Boolean byStatus = Facts.flag(status, "ready");
        @Nullable Boolean byReadyz = readyz();
        if (Boolean.FALSE.equals(byStatus) || Boolean.FALSE.equals(byReadyz)) {
            return false;
        }
        if (round.readyz() instanceof Answer.Said said && said.absent()) {
            return byStatus;
        }
        return byReadyz;
    }

    private @Nullable Boolean readyz() {
        if (!(round.readyz() instanceof Answer.Said said) || said.absent()) {
            return null;
        }
        if (ready == null) {
            // Plain text: a good status and a word for yes; anything else is not yes.
            return said.ok() && READY_WORDS.contains(said.body().strip().toLowerCase(Locale.ROOT));
        }
        if ("dev-forced".equals(Facts.text(ready, "mode"))) {
            return false;
        }
        return said.ok() && Boolean.TRUE.equals(Facts.flag(ready, "ready"));
    }

    private @Nullable Boolean writes(@Nullable Boolean isReady) {
        if (Boolean.FALSE.equals(isReady)) {
            return false;
        }
        return Facts.flag(ready, "write_ready");
    }

    private boolean degraded() {
        JsonNode said = Facts.member(ready, "degraded");
        return said != null && ((said.isBoolean() && said.booleanValue()) || (said.isArray() && !said.isEmpty()));
    }

    private String phase() {
        String phase = Facts.text(status, "phase");
        return phase != null ? phase : String.valueOf(Facts.text(ready, "phase"));
    }

    private void readyCauses() {
        if (round.readyz() instanceof Answer.Said said && !said.absent()) {
            JsonNode words = Facts.member(ready, "causes");
            List<String> missing = new ArrayList<>(Facts.texts(ready, "missing"));
            JsonNode list = Facts.member(ready, "degraded");
            if (list != null && list.isArray()) {
                missing.addAll(Facts.texts(ready, "degraded"));
            }
            for (String key : missing) {
                String why = Facts.text(words, key);
                causes.add(Causes.of("readyz.missing", key, why == null ? "no cause given" : why));
            }
            if ("dev-forced".equals(Facts.text(ready, "mode"))) {
                causes.add(Causes.of("readyz.dev_forced"));
            } else if (Boolean.FALSE.equals(readyz()) && missing.isEmpty()) {
                causes.add(Causes.of(ready == null ? "readyz.unreadable" : "readyz.not_ready"));
            } else if (degraded() && missing.isEmpty()) {
                causes.add(Causes.of("readyz.degraded"));
            } else if (Boolean.FALSE.equals(Facts.flag(ready, "write_ready")) && missing.isEmpty()) {
                causes.add(Causes.of("readyz.write"));
            }
        }
        if (Boolean.FALSE.equals(Facts.flag(status, "ready")) && causes.isEmpty()) {
            causes.add(Causes.of("status.not_ready"));
        }
    }

    private void planeCauses(List<NodeDetail.Plane> planes) {
        List<String> silent = Facts.silentUpstreams(status);
        silent.forEach(id -> causes.add(Causes.of("upstream.silent", id)));
        for (NodeDetail.Plane plane : planes) {
            String notes = plane.notes() == null ? "" : ": " + plane.notes();
            switch (plane.health()) {
                case "fail" -> causes.add(Causes.of("plane.fail", plane.name(), notes));
                case "degraded" -> {
                    // Said above already, one by one.
                    if (silent.isEmpty() || !plane.name().equals("gateway")) {
                        causes.add(Causes.of("plane.degraded", plane.name(), notes));
                    }
                }
                case "unknown" -> causes.add(Causes.of("plane.unknown", plane.name()));
                default -> {
                    if (!plane.ready()) {
                        causes.add(Causes.of("plane.not_ready", plane.name(), notes));
                    }
                }
            }
        }
    }

    /** What is wrong with an endpoint itself; one that the node merely does not have is not wrong. */
    private void probeCause(Answer answer) {
        switch (answer) {
            case Answer.Failed failed ->
                causes.add(
                        Causes.of("probe.failed", failed.path(), failed.fault().word(), failed.detail()));
            case Answer.NotAsked(String path) -> {
                // The version is asked for seldom, and its absence means nothing.
                if (!path.equals("/version")) {
                    causes.add(Causes.of("probe.not_asked", path));
                }
            }
            case Answer.Said said -> {
                boolean readyz = said.path().equals(round.readyz().path());
                boolean unread = said.path().equals(round.status().path()) && said.ok() && status == null;
                if (unread) {
                    causes.add(Causes.of("status.unreadable"));
                } else if (!said.ok() && !said.absent() && !(readyz && said.status() == 503)) {
                    causes.add(Causes.of("probe.status", said.path(), Integer.toString(said.status())));
                }
            }
        }
    }

    private boolean partial() {
        return status == null
                || round.all().stream()
                        .anyMatch(a -> a instanceof Answer.Failed
                                || (a instanceof Answer.Said said && said.absent())
                                || (a instanceof Answer.NotAsked(String path) && !path.equals("/version")));
    }

    private Verdict.Said said() {
        String number = Facts.text(status, "version");
        if (number == null) {
            number = Facts.text(version, "version");
        }
        if (number == null && version == null && round.version() instanceof Answer.Said said && said.ok()) {
            number = Facts.clean(said.body().strip(), 64);
        }
        JsonNode config = Facts.member(status, "config");
        String service = Facts.text(status, "service");
        return new Verdict.Said(
                service != null ? service : Facts.text(version, "service"),
                Facts.text(status, "profile"),
                number,
                Facts.text(status, "instance_id"),
                Facts.text(version, "git_sha"),
                Facts.text(version, "build_ts"),
                Facts.text(version, "java"),
                Facts.flag(status, "amnesia"),
                Facts.number(status, "uptime_seconds"),
                Facts.text(status, "phase"),
                config == null
                        ? null
                        : new NodeDetail.ConfigState(
                                Facts.number(config, "version"),
                                Facts.text(config, "hash"),
                                Facts.text(config, "loaded_at")),
                Facts.texts(status, "capabilities"),
                Facts.queues(status),
                Facts.tasks(status),
                Facts.flags(ready, "components"),
                Map.copyOf(Facts.serviceData(status)));
    }
}
