package dev.ron.admin.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code GET /api/ui-config}: what a browser needs before anybody has signed in; it names no node and no issuer. */
public record UiConfig(
        String defaultTheme,
        List<String> availableThemes,
        String defaultLanguage,
        List<String> availableLanguages,
        boolean readOnly,
        ActionSwitches actions,
        String authMode,
        @Nullable String loginUrl,
        Poll poll,
        long windowSeconds,
        String version,
        @Nullable String instanceName,
        @Nullable Banner banner) {

    /** Which actions the configuration allows. */
    public record ActionSwitches(boolean reload, boolean drain, boolean shutdown) {}

    /** How often to ask where the stream of events cannot be had. */
    public record Poll(long statusMs, long metricsMs) {}

    /** A line over every page; level is info, warn or danger. */
    public record Banner(String level, String text) {}
}
