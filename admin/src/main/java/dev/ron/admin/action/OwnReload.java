package dev.ron.admin.action;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.action.AuditEntry.Deed;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import dev.ron.service.reload.ReloadReport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the console's own process read its configuration again, on record like an action on a node. */
public final class OwnReload {
    private static final Logger LOG = LoggerFactory.getLogger(OwnReload.class);

    private final ActionDesk desk;
    private final AuditLog audit;
    private final Supplier<AdminConfig> config;
    private final Supplier<Reply<ReloadReport>> reload;

    public OwnReload(
            ActionDesk desk, AuditLog audit, Supplier<AdminConfig> config, Supplier<Reply<ReloadReport>> reload) {
        this.desk = desk;
        this.audit = audit;
        this.config = config;
        this.reload = reload;
    }

    /** Fails with TIMEOUT where the reload goes on after the deadline. */
    public ReloadReport run(Deed deed, Deadline until) {
        if (config.get().ui().readOnly()) {
            throw desk.refuse(deed, ActionDesk.readOnly());
        }
        audit.append(deed.intent());
        try {
            ReloadReport report = reload.get().await(until);
            boolean failed = report.outcome().failed();
            record(deed, failed ? "error" : "ok", failed ? report.outcome().word() : null);
            return report;
        } catch (RonException e) {
            record(deed, e.code() == Code.TIMEOUT ? "unknown" : "error", e.reason());
            throw e;
        }
    }

    private void record(Deed deed, String result, @Nullable String code) {
        try {
            audit.append(deed.outcome(result, null, code));
        } catch (RonException unwritten) {
            LOG.error("the outcome of action {} could not be audited: {}", deed.actionId(), unwritten.detail());
        }
    }
}
