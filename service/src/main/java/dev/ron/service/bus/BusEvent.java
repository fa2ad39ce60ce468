package dev.ron.service.bus;

/** What services tell each other; small, without secrets. The first four never change, others may be added. */
public sealed interface BusEvent {
    record Health(String service, boolean ok) implements BusEvent {}

    record ConfigUpdated(long version) implements BusEvent {}

    /** @param reason one of {@code panic:<class>}, {@code error:<code>}, {@code unexpected_exit}, {@code stuck}, {@code quarantined} */
    record ServiceCrashed(String service, String reason) implements BusEvent {}

    record Shutdown() implements BusEvent {}

    record RegistryUpdated(long version, String b3, String corrId) implements BusEvent {}

    record PolicyUpdated(long version, String hash) implements BusEvent {}

    record EpochRotated(String issuer, long epoch, String kid) implements BusEvent {}
}
