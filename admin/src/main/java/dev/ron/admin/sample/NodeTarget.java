package dev.ron.admin.sample;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.AdminConfig.Environment;
import dev.ron.service.config.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A node as the configuration describes it.
 *
 * <p>The credential for reading goes with probes and scrapes, the one for acting with actions alone; neither leaves for
 * any other host.
 *
 * @param interval between two scrapes; zero does not scrape
 * @param approveFlags what {@code ron registry approve} needs to sign and to find this node
 */
public record NodeTarget(
        String id,
        String displayName,
        Environment environment,
        String base,
        Map<String, String> labels,
        boolean insecureHttp,
        Optional<Secret> readCredential,
        Optional<Secret> actionCredential,
        Duration interval,
        String approveFlags) {

    public static final String SELF = "self";
    private static final String ANY_SIGNER = "--key SIGNER.key";

    public static NodeTarget of(String id, AdminConfig.NodeConfig config, AdminConfig.Polling polling) {
        String url = config.baseUrl().toString();
        return new NodeTarget(
                id,
                config.displayName().isEmpty() ? id : config.displayName(),
                config.environment(),
                url.endsWith("/") ? url.substring(0, url.length() - 1) : url,
                Map.copyOf(config.labels()),
                config.insecureHttp(),
                config.readCredential(),
                config.actionCredential(),
                config.metricsInterval().orElse(polling.metricsInterval()),
                ANY_SIGNER);
    }

    /** The process the console runs in. */
    public static NodeTarget self(String base, Secret operator, AdminConfig.Polling polling, String approveFlags) {
        return new NodeTarget(
                SELF,
                "This node",
                Environment.DEV,
                base,
                Map.of(),
                false,
                Optional.empty(),
                Optional.of(operator),
                polling.metricsInterval(),
                approveFlags);
    }

    public boolean prod() {
        return environment == Environment.PROD;
    }

    public String environmentWord() {
        return environment.name().toLowerCase(Locale.ROOT);
    }

    static String reveal(Secret secret) {
        return secret.use(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }
}
