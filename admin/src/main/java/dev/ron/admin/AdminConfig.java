package dev.ron.admin;

import dev.ron.service.config.Bytes;
import dev.ron.service.config.Change;
import dev.ron.service.config.Check;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Range;
import dev.ron.service.config.Secret;
import dev.ron.service.config.Within;
import dev.ron.service.tls.TlsConfig;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code [admin]}: the console. */
@Doc("The console: which nodes it watches, who may use it, and what they may do.")
public record AdminConfig(
        @Doc("Connections at once.") @Default("1024") @Range(min = 16, max = 65_536)
        int maxConns,

        @Doc("Limit on reading a request.") @Default("5s") @Within(min = "100ms", max = "5m")
        Duration readTimeout,

        @Doc("Limit on an answer that makes no progress.") @Default("5s") @Within(min = "100ms", max = "5m")
        Duration writeTimeout,

        @Doc("Limit on a connection between two requests.") @Default("60s") @Within(min = "1s", max = "10m")
        Duration idleTimeout,

        @Doc("Limit on one request, streams of events apart.") @Default("5s") @Within(min = "1s", max = "60s")
        Duration requestDeadline,

        @Doc("Requests at once.") @Default("512") @Range(min = 16, max = 65_536)
        int inflight,

        @Doc("Origins under which browsers reach the console, such as https://admin.example.internal.") @Default("")
        List<String> publicOrigin,

        @Doc("Watches the process the console runs in, over loopback.") @Default("true")
        boolean watchSelf,

        TlsConfig tls,
        Upstream upstream,
        Polling polling,
        MetricsLimits metrics,
        Events events,
        Ui ui,
        ActionsConfig actions,
        Audit audit,
        AuthConfig auth,

        @Doc("Nodes to watch, by id.") @OnChange(Change.HOT) Map<String, NodeConfig> nodes) {
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(250);

    /** {@code [admin.upstream]}. */
    @Doc("Calls to nodes.")
    public record Upstream(
            @Doc("Name look-up, connect and TLS handshake.") @Default("2s") @Within(min = "50ms", max = "60s")
            Duration connectTimeout,

            @Doc("All probes of one status round together.")
            @Default("3s")
            @Within(min = "100ms", max = "60s")
            @OnChange(Change.HOT)
            Duration statusTimeout,

            @Doc("One scrape, body included.") @Default("3s") @Within(min = "100ms", max = "60s") @OnChange(Change.HOT)
            Duration metricsPollTimeout,

            @Doc("One action; it is never tried again.")
            @Default("5s")
            @Within(min = "100ms", max = "60s")
            @OnChange(Change.HOT)
            Duration actionTimeout,

            @Doc("Networks that nodes must not be in, besides link-local, multicast and unspecified addresses.")
            @Default("")
            List<String> denyCidrs,

            @Doc("Networks that nodes must be in; empty allows any that is not denied.") @Default("")
            List<String> allowCidrs) {}

    /** {@code [admin.polling]}. */
    @Doc("How often nodes are asked.")
    @OnChange(Change.HOT)
    public record Polling(
            @Doc("Time between two scrapes of a node.") @Default("5s") @Within(min = "250ms", max = "10m")
            Duration metricsInterval,

            @Doc("How far back the numbers go.") @Default("5m") @Within(min = "10s", max = "24h")
            Duration metricsWindow,

            @Doc("Time between two status rounds of a node.") @Default("10s") @Within(min = "250ms", max = "10m")
            Duration statusInterval,

            @Doc("Nodes asked at once.") @Default("64") @Range(min = 1, max = 1024) @OnChange(Change.RESTART)
            int maxConcurrent,

            RetryConfig retry) {

        @Check(value = "must not be shorter than admin.polling.metrics_interval", key = "metrics_window")
        boolean windowHoldsInterval() {
            return metricsWindow.compareTo(metricsInterval) >= 0;
        }

        /** Places in a ring: one per interval of the window, and one more. */
        public int slots(Duration interval) {
            long whole = (metricsWindow.toNanos() + interval.toNanos() - 1) / interval.toNanos() + 1;
            return Math.clamp(whole, 2, 2000);
        }
    }

    /** {@code [admin.polling.retry]}. */
    @Doc("When a scrape is tried again within its interval.")
    public record RetryConfig(
            @Doc("Shortest first wait; it doubles.") @Default("100ms") @Within(min = "1ms", max = "10s")
            Duration initialMin,

            @Doc("Longest first wait.") @Default("250ms") @Within(min = "1ms", max = "10s")
            Duration initialMax,

            @Doc("Bound of the doubling.") @Default("2s") @Within(min = "1ms", max = "60s")
            Duration cap,

            @Doc("Tries in all.") @Default("3") @Range(min = 1, max = 5)
            int attempts) {

        @Check(value = "must not be shorter than admin.polling.retry.initial_min", key = "initial_max")
        boolean inOrder() {
            return initialMax.compareTo(initialMin) >= 0;
        }
    }

    /** {@code [admin.metrics]}. */
    @Doc("How much of a node's metrics is kept.")
    public record MetricsLimits(
            @Doc("Largest body of /metrics.") @Default("4MiB") @Within(min = "64KiB", max = "4MiB")
            Bytes maxBodyBytes,

            @Doc("Series per node.") @Default("1024") @Range(min = 16, max = 4096)
            int maxSeries,

            @Doc("Histograms per node.") @Default("96") @Range(min = 1, max = 256)
            int maxHistograms,

            @Doc("Facets per node.") @Default("64") @Range(min = 1, max = 256)
            int maxFacets,

            @Doc("Memory that the rings of all nodes may take at their caps.")
            @Default("1GiB")
            @Within(min = "1MiB", max = "64GiB")
            Bytes memoryBudget,

            @Doc("The console's own metrics name every node; auto does so up to 200 nodes.") @Default("auto")
            PerNode perNode) {}

    /** Whether the console's own metrics have a series per node. */
    public enum PerNode {
        AUTO,
        ALWAYS,
        NEVER
    }

    /** {@code [admin.events]}. */
    @Doc("Streams of events to browsers.")
    public record Events(
            @Doc("Streams at once.") @Default("256") @Range(min = 1, max = 65_536)
            int maxStreams,

            @Doc("Streams of one person.") @Default("16") @Range(min = 1, max = 1024)
            int ssePerSubject) {}

    /** {@code [admin.ui]}. */
    @Doc("The pages.")
    @OnChange(Change.HOT)
    public record Ui(
            @Doc("Shows everything and lets nobody act; wins over admin.actions.") @Default("true")
            boolean readOnly,

            @Doc("Theme of somebody who has not chosen one.") @Default("system")
            Theme theme,

            @Doc("Language of somebody who has not chosen one.") @Default("en-US")
            String language,

            @Doc("A name for this console, shown on every page.") @Default("")
            String instanceName,

            @Doc("A line over every page.") @Default("") String banner) {

        @Check(value = "must be en-US or es-ES", key = "language")
        boolean languageIsKnown() {
            return List.of("en-US", "es-ES").contains(language);
        }
    }

    /** Colours of the pages. */
    public enum Theme {
        SYSTEM,
        LIGHT,
        DARK,
        CONTRAST
    }

    /** {@code [admin.actions]}. */
    @Doc("What may be done to nodes.")
    @OnChange(Change.HOT)
    public record ActionsConfig(
            @Doc("Allows reload.") @Default("false") boolean enableReload,

            @Doc("Allows drain and resume.") @Default("false")
            boolean enableDrain,

            @Doc("Allows shutdown.") @Default("false") boolean enableShutdown,

            @Doc("Time between two of the same action on one node.") @Default("30s") @Within(min = "0s", max = "1h")
            Duration cooldown,

            @Doc("Actions of one person per minute.") @Default("10") @Range(min = 1, max = 1000)
            int perSubjectPerMin) {}

    /** {@code [admin.audit]}. */
    @Doc("The audit log; kept under the node's data folder, or only in memory where there is none.")
    public record Audit(
            @Doc("Size at which a new file is begun.") @Default("16MiB") @Within(min = "4KiB", max = "1GiB")
            Bytes maxBytes,

            @Doc("Files that are kept.") @Default("8") @Range(min = 1, max = 1000)
            int keep) {}

    /** {@code [admin.nodes.<id>]}. */
    @Doc("A node to watch.")
    @OnChange(Change.HOT)
    public record NodeConfig(
            @Doc("Where its ops plane is; a path is allowed.")
            URI baseUrl,

            @Doc("Shown instead of the id.") @Default("") String displayName,

            @Doc("dev, staging or prod.") @Default("dev") Environment environment,

            @Doc("Words to filter by.") Map<String, String> labels,

            @Doc("Allows plain http to another machine.") @Default("false")
            boolean insecureHttp,

            @Doc("Sent with every probe and scrape; better in a file: read_credential_file.")
            Optional<Secret> readCredential,

            @Doc("Sent with actions only; better in a file: action_credential_file.")
            Optional<Secret> actionCredential,

            @Doc("Time between two scrapes, at least 250ms; 0s does not scrape, none takes admin.polling's.")
            @Within(min = "0s", max = "10m")
            Optional<Duration> metricsInterval) {

        @Check(value = "must be http(s)://host:port, without user, query or fragment", key = "base_url")
        boolean urlIsPlain() {
            return ("http".equals(baseUrl.getScheme()) || "https".equals(baseUrl.getScheme()))
                    && baseUrl.getHost() != null
                    && baseUrl.getRawUserInfo() == null
                    && baseUrl.getRawQuery() == null
                    && baseUrl.getRawFragment() == null;
        }

        @Check(value = "plain http to another machine needs insecure_http = true", key = "base_url")
        boolean httpIsMeant() {
            return "https".equals(baseUrl.getScheme()) || insecureHttp || Networks.isLoopbackName(baseUrl.getHost());
        }

        @Check(value = "a prod node on another machine needs https", key = "base_url")
        boolean prodIsEncrypted() {
            return environment != Environment.PROD
                    || "https".equals(baseUrl.getScheme())
                    || Networks.isLoopbackName(baseUrl.getHost());
        }

        @Check(value = "a credential does not travel over plain http to another machine", key = "read_credential")
        boolean credentialsAreEncrypted() {
            return "https".equals(baseUrl.getScheme())
                    || Networks.isLoopbackName(baseUrl.getHost())
                    || (readCredential.isEmpty() && actionCredential.isEmpty());
        }

        @Check(value = "must differ from action_credential", key = "read_credential")
        boolean credentialsDiffer() {
            return readCredential.isEmpty() || !readCredential.equals(actionCredential);
        }

        @Check(
                value = "no address that a node may have (link-local, multicast and unspecified are refused)",
                key = "base_url")
        boolean addressIsAllowed() {
            return Networks.literal(baseUrl.getHost())
                    .map(Networks::mayBeCalled)
                    .orElse(true);
        }

        @Check(value = "must be 0s or at least 250ms", key = "metrics_interval")
        boolean intervalIsBounded() {
            return metricsInterval
                    .filter(own -> own.isPositive() && own.compareTo(SHORTEST_INTERVAL) < 0)
                    .isEmpty();
        }

        @Check(value = "at most 16", key = "labels")
        boolean labelsAreFew() {
            return labels.size() <= 16;
        }
    }

    /** How careful to be with a node. */
    public enum Environment {
        DEV,
        STAGING,
        PROD
    }

    @Check(value = "ids are a-z, 0-9, _ and -, at most 63; at most 5000 nodes", key = "nodes")
    boolean idsAreProper() {
        return nodes.size() <= 5000
                && nodes.keySet().stream().allMatch(id -> id.matches("[a-z0-9][a-z0-9_-]{0,62}") && !id.equals("self"));
    }

    @Check(value = "actions on prod nodes need admin.auth.mode other than none", key = "actions")
    boolean prodIsGuarded() {
        return auth.mode() != AuthConfig.Mode.NONE
                || !(actions.enableReload || actions.enableDrain || actions.enableShutdown)
                || nodes.values().stream().noneMatch(node -> node.environment == Environment.PROD);
    }

    @Check(
            value = "too small for the nodes: raise it, lengthen the interval, shorten the window or lower max_series",
            key = "metrics")
    boolean ringsFitBudget() {
        long own = ringBytes(polling.metricsInterval());
        long all = nodes.values().stream()
                .mapToLong(node -> ringBytes(
                        node.metricsInterval.filter(Duration::isPositive).orElse(polling.metricsInterval())))
                .sum();
        return own + all <= metrics.memoryBudget.count();
    }

    /** What the ring of a node that is scraped so often takes at its caps. */
    private long ringBytes(Duration interval) {
        long slots = polling.slots(interval);
        return slots * (8L * metrics.maxSeries + 4L * 24 * metrics.maxHistograms) / 2;
    }
}
