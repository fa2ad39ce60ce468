package dev.ron.admin.api;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.auth.Identity;
import dev.ron.admin.live.FleetDocument;
import dev.ron.admin.panel.ServicePanels;
import dev.ron.admin.sample.Fleet;
import dev.ron.admin.sample.Measured;
import dev.ron.admin.sample.NodeRuntime;
import dev.ron.admin.sample.Observed;
import dev.ron.admin.sample.Prober;
import dev.ron.admin.sample.Rows;
import dev.ron.admin.series.Readings;
import dev.ron.admin.truth.Answer;
import dev.ron.admin.truth.Known;
import dev.ron.admin.truth.Verdict;
import dev.ron.admin.view.NodeDetail;
import dev.ron.admin.view.ProbeView;
import dev.ron.admin.view.SeriesKeys;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** What is known of nodes: from memory, or asked of one node now. */
final class NodeApi {
    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");
    private static final int MAX_KEYS = 16;

    private final Fleet fleet;
    private final Rows rows;
    private final FleetDocument document;
    private final LiveStatus live;
    private final Prober prober;
    private final Supplier<AdminConfig> config;

    NodeApi(
            Fleet fleet,
            Rows rows,
            FleetDocument document,
            LiveStatus live,
            Prober prober,
            Supplier<AdminConfig> config) {
        this.fleet = fleet;
        this.rows = rows;
        this.document = document;
        this.live = live;
        this.prober = prober;
        this.config = config;
    }

    NodeRuntime node(Request request) {
        return find(request).orElseThrow(NodeApi::missing);
    }

    Optional<NodeRuntime> find(Request request) {
        String id = request.param("id");
        return ID.matcher(id).matches() ? fleet.node(id) : Optional.empty();
    }

    private static RonException missing() {
        return new RonException(Code.NOT_FOUND, "not_found", "no node of this id is watched");
    }

    Response nodes(Request request, Identity identity) {
        FleetDocument.Page page = document.page();
        return tagged(request, "\"f" + page.version() + "\"", page.json());
    }

    Response one(Request request, Identity identity) {
        return ok(rows.row(node(request)));
    }

    Response status(Request request, Identity identity) {
        NodeRuntime node = node(request);
        if (request.queryParams().first("cached").filter("1"::equals).isPresent()) {
            return ok(rows.detail(node));
        }
        Observed observed = live.ask(node, request.context().deadline());
        NodeDetail detail = rows.detail(node, observed);
        if (observed.round() != null && !observed.round().anyReached()) {
            throw failure(observed.round().healthz());
        }
        return ok(detail);
    }

    Response health(Request request, Identity identity) {
        return probe(request, Prober.HEALTHZ);
    }

    Response ready(Request request, Identity identity) {
        return probe(request, Prober.READYZ);
    }

    Response version(Request request, Identity identity) {
        return probe(request, Prober.VERSION);
    }

    private Response probe(Request request, String path) {
        NodeRuntime node = node(request);
        Answer answer = prober.get(node.target(), path, config.get().upstream().statusTimeout());
        if (!(answer instanceof Answer.Said said)) {
            throw failure(answer);
        }
        NodeDetail.Probe probe = Rows.probe(said);
        return ok(new ProbeView(
                node.id(), path, probe.ok(), probe.status(), probe.ms(), probe.error(), ProbeValues.of(path, said)));
    }

    private static RonException failure(Answer answer) {
        if (answer instanceof Answer.Failed failed) {
            String words = failed.fault().words();
            return switch (failed.fault()) {
                case TIMEOUT -> new RonException(Code.UPSTREAM_TIMEOUT, "upstream_timeout", words);
                case PARSE, TOO_LARGE -> new RonException(Code.UPSTREAM_PARSE, "upstream_parse", words);
                case REDIRECT, STATUS -> new RonException(Code.UPSTREAM_PARSE, "upstream_status", words);
                case DENIED -> new RonException(Code.UPSTREAM_PARSE, "upstream_denied", words);
                case CANCELED -> new RonException(Code.CANCELED, "canceled", words);
                default -> new RonException(Code.UPSTREAM_CONNECT, "upstream_connect", words);
            };
        }
        return new RonException(Code.UPSTREAM_TIMEOUT, "upstream_timeout", "no time was left to ask the node");
    }

    Response summary(Request request, Identity identity) {
        NodeRuntime node = node(request);
        return tagged(request, sampleTag(node), Json.bytes(rows.summary(node)));
    }

    Response facets(Request request, Identity identity) {
        NodeRuntime node = node(request);
        return tagged(request, sampleTag(node), Json.bytes(rows.facets(node)));
    }

    /** Changes with each sample, and when the numbers go stale or fail. */
    private String sampleTag(NodeRuntime node) {
        Measured measured = node.measured();
        String error = measured.lastError() == null
                ? ""
                : "e" + measured.lastError().at().toEpochMilli();
        return "\"s" + measured.sample() + rows.metricsState(node) + error + "\"";
    }

    Response keys(Request request, Identity identity) {
        NodeRuntime node = node(request);
        return ok(new SeriesKeys(node.id(), node.ring().with(ring -> ring.keys())));
    }

    Response series(Request request, Identity identity) {
        NodeRuntime node = node(request);
        List<String> keys = request.queryParams().all("key");
        if (keys.isEmpty() || keys.size() > MAX_KEYS) {
            throw new RonException(Code.BAD_REQUEST, "bad_request", "key: " + keys.size() + " given (expected: 1..16)");
        }
        return ok(node.ring().with(ring -> ring.read(node.id(), keys)));
    }

    Response panels(Request request, Identity identity) {
        NodeRuntime node = node(request);
        List<?> tenants = tenants(node);
        Verdict verdict = node.observed().verdict();
        return ok(node.ring()
                .with(ring -> ServicePanels.of(
                        node.id(),
                        verdict,
                        new Readings(ring),
                        tenants,
                        node.target().approveFlags())));
    }

    /** The gateway's own page about its tenants, where the node runs one. */
    private List<?> tenants(NodeRuntime node) {
        boolean gateway = node.observed().verdict() != null
                && node.observed().verdict().planes().stream()
                        .anyMatch(plane -> plane.name().equals("gateway"));
        if (!gateway) {
            return List.of();
        }
        Answer answer = prober.get(
                node.target(), "/admin/tenants", config.get().upstream().statusTimeout());
        return answer instanceof Answer.Said said
                        && said.ok()
                        && Known.members(said, List.of("tenants")).get("tenants") instanceof List<?> tenants
                ? tenants
                : List.of();
    }

    static Response ok(Object document) {
        return Response.json(200, Json.bytes(document)).withHeader("Cache-Control", "no-store");
    }

    private static Response tagged(Request request, String tag, byte[] body) {
        boolean known = request.headers().all("If-None-Match").stream().anyMatch(tags -> tags.contains(tag));
        Response response = known ? Response.status(304) : Response.json(200, body);
        return response.withHeader("ETag", tag).withHeader("Cache-Control", "private, no-cache");
    }

    /** The members of a probe's answer that are passed on. */
    private static final class ProbeValues {
        private static final Map<String, List<String>> KNOWN = Map.of(
                Prober.HEALTHZ, List.of("ok"),
                Prober.READYZ,
                        List.of(
                                "ready",
                                "write_ready",
                                "degraded",
                                "missing",
                                "phase",
                                "mode",
                                "since",
                                "config_version"),
                Prober.VERSION,
                        List.of("service", "version", "git_sha", "build_ts", "java", "profile", "amnesia", "pq_mode"));

        static Map<String, Object> of(String path, Answer.Said said) {
            return Known.members(said, KNOWN.getOrDefault(path, List.of()));
        }
    }
}
