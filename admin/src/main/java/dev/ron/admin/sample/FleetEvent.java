package dev.ron.admin.sample;

import dev.ron.admin.view.AuditRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happens in the console, for whoever follows it. */
public sealed interface FleetEvent {

    /** A node's status or numbers are new. */
    record Changed(String nodeId, boolean sampled) implements FleetEvent {}

    record Gone(List<String> ids) implements FleetEvent {}

    record Configured(long version, boolean ok, @Nullable String error) implements FleetEvent {}

    record Audited(AuditRecord record) implements FleetEvent {}

    /** The state of the issuer's keys. */
    record Auth(String state) implements FleetEvent {}
}
