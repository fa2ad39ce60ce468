package dev.ron.admin.api;

import dev.ron.admin.auth.Access;
import dev.ron.admin.view.ActionAsked;
import dev.ron.admin.view.ActionResult;
import dev.ron.admin.view.AuditPage;
import dev.ron.admin.view.ConsoleView;
import dev.ron.admin.view.FacetMetrics;
import dev.ron.admin.view.FleetView;
import dev.ron.admin.view.LiveEvent;
import dev.ron.admin.view.Me;
import dev.ron.admin.view.MetricsSummary;
import dev.ron.admin.view.NodeDetail;
import dev.ron.admin.view.NodeRow;
import dev.ron.admin.view.Panels;
import dev.ron.admin.view.ProbeView;
import dev.ron.admin.view.SeriesKeys;
import dev.ron.admin.view.SeriesView;
import dev.ron.admin.view.Small;
import dev.ron.admin.view.UiConfig;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The route table: every route of the API with the least it asks of its caller. Routing, the check of roles, the
 * matrix that tests it and the reference are all made from here.
 */
public enum Endpoint {
    UI_CONFIG("GET", "/api/ui-config", Access.OPEN, UiConfig.class, "What a browser needs before signing in.", 200),
    ME("GET", "/api/me", Access.ANY, Me.class, "Who asks, and the token for unsafe methods.", 200, 401, 403, 503),
    SIGN_IN(
            "POST",
            "/api/session",
            Access.OPEN,
            Small.SessionAsked.class,
            Void.class,
            "Keeps a passport token in a cookie that scripts cannot read.",
            204,
            400,
            401,
            404,
            429),
    SIGN_OUT("DELETE", "/api/session", Access.ANY, Void.class, "Clears the cookie.", 204, 401),
    NODES("GET", "/api/nodes", Access.VIEWER, FleetView.class, "All nodes; with ETag.", 200, 304),
    NODE("GET", "/api/nodes/{id}", Access.VIEWER, NodeRow.class, "One node.", 200, 404),
    STATUS(
            "GET",
            "/api/nodes/{id}/status",
            Access.VIEWER,
            NodeDetail.class,
            "Asks the node now, at most once a second for everybody; `?cached=1` answers from memory.",
            200,
            404,
            502,
            504),
    HEALTH("GET", "/api/nodes/{id}/health", Access.VIEWER, ProbeView.class, "Asks /healthz now.", 200, 404, 502, 504),
    READY("GET", "/api/nodes/{id}/ready", Access.VIEWER, ProbeView.class, "Asks /readyz now.", 200, 404, 502, 504),
    VERSION("GET", "/api/nodes/{id}/version", Access.VIEWER, ProbeView.class, "Asks /version now.", 200, 404, 502, 504),
    SUMMARY(
            "GET",
            "/api/nodes/{id}/metrics/summary",
            Access.VIEWER,
            MetricsSummary.class,
            "Golden numbers over the window, and their series.",
            200,
            304,
            404),
    FACETS("GET", "/api/nodes/{id}/metrics/facets", Access.VIEWER, FacetMetrics.class, "Facets.", 200, 304, 404),
    KEYS("GET", "/api/nodes/{id}/metrics/keys", Access.VIEWER, SeriesKeys.class, "What can be charted.", 200, 404),
    SERIES(
            "GET",
            "/api/nodes/{id}/metrics/series",
            Access.VIEWER,
            SeriesView.class,
            "`?key=...&key=...`, at most 16 keys.",
            200,
            400,
            404),
    PANELS(
            "GET",
            "/api/nodes/{id}/panels",
            Access.VIEWER,
            Panels.class,
            "What gateway, edge, passport and registry say about their own subject.",
            200,
            404),
    REFRESH(
            "POST",
            "/api/nodes/{id}/refresh",
            Access.VIEWER,
            Small.Refreshed.class,
            "Samples the node now; at most once a second.",
            202,
            404,
            429),
    EVENTS(
            "GET",
            "/api/events",
            Access.VIEWER,
            LiveEvent.class,
            "Server-sent events; `?nodes=a,b` (at most 16) adds the metrics of these nodes.",
            200,
            401,
            403,
            429),
    RELOAD(
            "POST",
            "/api/nodes/{id}/reload",
            Access.OPERATOR,
            ActionAsked.class,
            ActionResult.class,
            "Has the node read its configuration again.",
            200,
            403,
            404,
            409,
            422,
            429,
            502,
            503,
            504),
    DRAIN(
            "POST",
            "/api/nodes/{id}/drain",
            Access.OPERATOR,
            ActionAsked.class,
            ActionResult.class,
            "Has the node turn unready and go on serving.",
            200,
            403,
            404,
            409,
            422,
            429,
            502,
            503,
            504),
    RESUME(
            "POST",
            "/api/nodes/{id}/resume",
            Access.OPERATOR,
            ActionAsked.class,
            ActionResult.class,
            "Takes a drain back and lifts quarantines.",
            200,
            403,
            404,
            409,
            422,
            429,
            502,
            503,
            504),
    SHUTDOWN(
            "POST",
            "/api/nodes/{id}/shutdown",
            Access.ADMIN,
            ActionAsked.class,
            ActionResult.class,
            "Has the node stop.",
            200,
            403,
            404,
            409,
            422,
            429,
            502,
            503,
            504),
    AUDIT(
            "GET",
            "/api/audit",
            Access.OPERATOR,
            AuditPage.class,
            "`?before=&limit=&node=&subject=&action=&result=`, newest first.",
            200,
            400),
    CONSOLE("GET", "/api/console", Access.OPERATOR, ConsoleView.class, "The console about itself.", 200),
    CONSOLE_RELOAD(
            "POST",
            "/api/console/reload",
            Access.ADMIN,
            Small.Reloaded.class,
            "Has the console's own process read its configuration again.",
            202,
            403,
            409,
            429,
            503),
    OPENAPI("GET", "/api/openapi.json", Access.OPEN, Void.class, "This document.", 200);

    private final String method;
    private final String path;
    private final Access access;
    private final Class<?> asked;
    private final Class<?> answer;
    private final String does;
    private final String statuses;

    Endpoint(String method, String path, Access access, Class<?> answer, String does, Integer... statuses) {
        this(method, path, access, Void.class, answer, does, statuses);
    }

    Endpoint(
            String method,
            String path,
            Access access,
            Class<?> asked,
            Class<?> answer,
            String does,
            Integer... statuses) {
        this.method = method;
        this.path = path;
        this.access = access;
        this.asked = asked;
        this.answer = answer;
        this.does = does;
        this.statuses = Arrays.stream(statuses).map(String::valueOf).collect(Collectors.joining(" "));
    }

    public String method() {
        return method;
    }

    public String path() {
        return path;
    }

    public Access access() {
        return access;
    }

    /** The record a body is read into; Void where there is none. */
    public Class<?> asked() {
        return asked;
    }

    /** The record of a good answer; Void where it has no body of ours. */
    public Class<?> answer() {
        return answer;
    }

    public String does() {
        return does;
    }

    public List<Integer> statuses() {
        return Arrays.stream(statuses.split(" ")).map(Integer::valueOf).toList();
    }

    /** Whether it changes something, and so must prove that it comes from our own page. */
    public boolean unsafe() {
        return !method.equals("GET");
    }
}
