package dev.ron.admin.action;

import dev.ron.admin.AdminConfig;
import java.util.Locale;

/** What can be done to a node. */
public enum Action {
    RELOAD,
    DRAIN,
    RESUME,
    SHUTDOWN;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String path() {
        return "/api/v1/" + word();
    }

    boolean allowedBy(AdminConfig.ActionsConfig config) {
        return switch (this) {
            case RELOAD -> config.enableReload();
            case DRAIN, RESUME -> config.enableDrain();
            case SHUTDOWN -> config.enableShutdown();
        };
    }
}
