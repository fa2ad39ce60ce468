package dev.ron.node;

import dev.ron.service.config.Bytes;
import dev.ron.service.config.Change;
import dev.ron.service.config.Check;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Range;
import dev.ron.service.config.Secret;
import dev.ron.service.config.Within;
import dev.ron.service.keys.IssuerSource;
import dev.ron.service.keys.JwksPlace;
import dev.ron.token.keys.Tenants;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code [node]}: what belongs to the process and not to one service. */
@Doc("The process itself.")
public record NodeConfig(
        @Doc("macro is durable under data; micro keeps everything in RAM and writes no file.") @Default("macro")
        Profile profile,

        @Doc("Where the node keeps its files.") @Default("./data")
        Path data,

        @Doc("First of the seven ports; 0 lets the system choose them.")
        @Default("8080")
        @Range(min = 0, max = Ports.MAX_BASE)
        int portBase,

        @Doc("Address of the public listeners; ops and console stay on loopback.") @Default("127.0.0.1")
        String bind,

        @Doc("Services to run; empty means every one there is.") @Default("")
        List<String> services,

        @Doc("Allows what is unsafe, such as a public bind without authentication.") @Default("false")
        boolean dangerOk,

        Shutdown shutdown,
        Supervisor supervisor,
        Log log,
        Trace trace,
        Passport passport,
        Demo demo) {

    /** How much a node remembers. */
    public enum Profile {
        MICRO,
        MACRO
    }

    /** {@code [node.shutdown]}. */
    @Doc("How the process stops.")
    @OnChange(Change.HOT)
    public record Shutdown(
            @Doc("What runs may finish for so long.") @Default("10s") @Within(min = "100ms", max = "5m")
            Duration drainDeadline,

            @Doc("Time between turning unready and closing the listeners, for a balancer to notice.")
            @Default("0s")
            @Within(min = "0s", max = "1m")
            Duration preStop) {

        @Check(value = "must be shorter than node.shutdown.drain_deadline", key = "pre_stop")
        boolean preStopFits() {
            return preStop.compareTo(drainDeadline) < 0;
        }
    }

    /** {@code [node.supervisor]}. */
    @Doc("How failed tasks are started again.")
    public record Supervisor(
            @Doc("Bound of the first wait.") @Default("100ms") @Within(min = "10ms", max = "30s")
            Duration minBackoff,

            @Doc("Bound of the longest wait.") @Default("30s") @Within(min = "10ms", max = "10m")
            Duration maxBackoff,

            @Doc("So many failures within the window put a task into quarantine.")
            @Default("5")
            @Range(min = 1, max = 1000)
            int restartCap,

            @Doc("The window.") @Default("60s") @Within(min = "1s", max = "1h")
            Duration restartWindow) {

        @Check(value = "must not be longer than node.supervisor.max_backoff", key = "min_backoff")
        boolean boundsInOrder() {
            return minBackoff.compareTo(maxBackoff) <= 0;
        }
    }

    /** {@code [node.log]}. */
    @Doc("What is logged, and how.")
    @OnChange(Change.HOT)
    public record Log(
            @Doc("Least important level that is written.") @Default("info")
            Level level,

            @Doc("auto is text on a terminal and JSON lines otherwise.") @Default("auto") @OnChange(Change.RESTART)
            Format format) {}

    /** {@code [node.trace]}. */
    @Doc("Where spans go.")
    public record Trace(
            @Doc("Base URL of an OTLP/HTTP collector such as http://127.0.0.1:4318; none exports nothing.")
            Optional<URI> otlpEndpoint) {}

    /** {@code [node.passport]}. */
    @Doc("The passport office whose tokens count here, where it runs in another process.")
    public record Passport(
            @Doc("Where it is; none takes the one of this process.")
            Optional<URI> url,

            @Doc("The iss of its tokens; without it, its address.")
            Optional<String> issuer,

            @Doc("The client key with which its revocations are read; better in a file: feed_key_file.")
            Optional<Secret> feedKey,

            @Doc("Certificates that an https url is checked with; without it those that Java trusts.")
            Optional<Path> caFile) {

        /** What verifiers of this process follow. */
        Optional<IssuerSource> source() {
            return url.map(URI::toString)
                    .map(text -> text.endsWith("/") ? text.substring(0, text.length() - 1) : text)
                    .map(base -> new IssuerSource(
                            issuer.orElse(base), base, () -> feedKey.map(Passport::text), Tenants.ALL, caFile));
        }

        /** Whoever can change its keys on the way can sign tokens, and whoever can read along has the feed key. */
        boolean isSafe() {
            return url.isEmpty() || JwksPlace.isSafe(url.get());
        }

        private static String text(Secret key) {
            return key.use(bytes -> new String(bytes, StandardCharsets.UTF_8).strip());
        }
    }

    /** Levels of the log. */
    public enum Level {
        DEBUG,
        INFO,
        WARN,
        ERROR
    }

    /** Forms of the log. */
    public enum Format {
        AUTO,
        JSON,
        TEXT
    }

    /** {@code [node.demo]}. */
    @Doc("The built-in demo application; it runs when there is no ron.toml, or with --demo.")
    public record Demo(
            @Doc("Runs the demo although there is a configuration file.") @Default("false")
            boolean enabled,

            @Doc("Connections at once.") @Default("2048") @Range(min = 1, max = 65_535)
            int maxConns,

            @Doc("Requests at once.") @Default("512") @Range(min = 1, max = 65_535)
            int inflight,

            @Doc("Largest request body.") @Default("1MiB") @Within(max = "64MiB")
            Bytes maxBodyBytes) {}

    @Check(value = "names a service this node does not have", key = "services")
    boolean servicesAreKnown() {
        return NodeSections.SERVICES.containsAll(services);
    }

    /** Whether a service is to run here. */
    boolean runs(String service) {
        return services.isEmpty() || services.contains(service);
    }

    @Check(value = "a public bind without authentication needs node.danger_ok = true", key = "bind")
    boolean publicBindIsMeant() {
        return dangerOk || isLoopback();
    }

    @Check(
            value = "https, or http on loopback; plain http in a private network needs node.danger_ok = true",
            key = "passport")
    boolean passportIsAskedSafely() {
        return dangerOk || passport.isSafe();
    }

    /** Whether the public listeners are for this machine alone. */
    public boolean isLoopback() {
        try {
            return InetAddress.getByName(bind).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false;
        }
    }
}
