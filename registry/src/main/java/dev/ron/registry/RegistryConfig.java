package dev.ron.registry;

import dev.ron.service.config.Bytes;
import dev.ron.service.config.Change;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Range;
import dev.ron.service.config.Within;
import dev.ron.service.tls.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** {@code [registry]}: the log of descriptors; who may change it stands in the log itself and never here. */
@Doc("Holds descriptors that change by quorum only; signers and thresholds live in the log, never here.")
public record RegistryConfig(
        @Doc("Connections at once.") @Default("1024") @Range(min = 1, max = 65_536)
        int maxConns,

        @Doc("Limit on reading a request.") @Default("5s") @Within(min = "100ms", max = "10m")
        Duration readTimeout,

        @Doc("Limit on an answer that makes no progress.") @Default("5s") @Within(min = "100ms", max = "10m")
        Duration writeTimeout,

        @Doc("Limit on a connection between two requests.") @Default("60s") @Within(min = "100ms", max = "10m")
        Duration idleTimeout,

        @Doc("What waits for the committer may finish for so long once the process stops.")
        @Default("3s")
        @Within(min = "0s", max = "60s")
        @OnChange(Change.HOT)
        Duration drainDeadline,

        @Doc("File that remembers how far the log had come; keep it outside the data folder, best on another disk.")
        Optional<Path> witnessPath,

        TlsConfig tls,
        Limits limits,
        Deadlines deadlines,
        Storage storage,
        Checkpoint checkpoint,
        Retention retention,
        Verify verify,
        Stream stream,
        BusSettings bus) {

    /** {@code [registry.limits]}. */
    @Doc("What is shed at the door.")
    @OnChange(Change.HOT)
    public record Limits(
            @Doc("Writes per second, of all callers; 0 means no limit.")
            @Default("500")
            @Range(min = 0, max = 1_000_000)
            int rps,

            @Doc("Requests at once.") @Default("512") @Range(min = 32, max = 65_536)
            int inflight,

            @Doc("Largest request body.")
            @Default("1152KiB")
            @Within(min = "1KiB", max = "8MiB")
            @OnChange(Change.RESTART)
            Bytes maxBodyBytes,

            @Doc("Most that a compressed body may grow.")
            @Default("10")
            @Range(min = 1, max = 100)
            @OnChange(Change.RESTART)
            int decompressRatioCap,

            @Doc("Proposals that wait for votes.")
            @Default("10000")
            @Range(min = 1, max = 1_000_000)
            @OnChange(Change.RESTART)
            int maxPendingProposals,

            @Doc("Of these, how many one proposer may have.")
            @Default("64")
            @Range(min = 1, max = 1_000_000)
            @OnChange(Change.RESTART)
            int maxPendingPerProposer,

            @Doc("Memory for proposals that wait for votes; one proposer may have a quarter.")
            @Default("32MiB")
            @Within(min = "4MiB", max = "16GiB")
            @OnChange(Change.RESTART)
            Bytes maxPendingBytes) {}

    /** {@code [registry.deadlines]}. */
    @Doc("The longest that a write may take; callers can only shorten it.")
    public record Deadlines(
            @Doc("Proposing.") @Default("2s") @Within(min = "10ms", max = "30s")
            Duration propose,

            @Doc("Approving.") @Default("2s") @Within(min = "10ms", max = "30s")
            Duration approve,

            @Doc("Committing.") @Default("5s") @Within(min = "10ms", max = "30s")
            Duration commit) {}

    /** {@code [registry.storage]}. */
    @Doc("The log on disk.")
    public record Storage(
            @Doc("Size of one file of the log.") @Default("64MiB") @Within(min = "64KiB", max = "1GiB")
            Bytes segmentBytes,

            @Doc(
                    "With less room than this on the disk the service is not ready for writes; what still fits is written.")
            @Default("64MiB")
            @Within(min = "0B", max = "1GiB")
            @OnChange(Change.HOT)
            Bytes minFreeBytes,

            @Doc("Time between two checkpoints on disk, with tiles and a snapshot of the state.")
            @Default("10m")
            @Within(min = "1s", max = "24h")
            @OnChange(Change.HOT)
            Duration checkpointInterval) {}

    /** {@code [registry.checkpoint]}. */
    @Doc("Signed tree heads.")
    public record Checkpoint(
            @Doc("The head is signed anew after so long, so that a reader can tell a frozen view.")
            @Default("60s")
            @Within(min = "1s", max = "1h")
            Duration republish) {}

    /** {@code [registry.retention]}. */
    @Doc("Payloads that may go; entries, approvals and audit records never do.")
    @OnChange(Change.HOT)
    public record Retention(
            @Doc("keep everything, or prune payloads by age, by count of versions or by size of the log.")
            @Default("keep")
            Policy policy,

            @Doc("With by_age: payloads older than this go.") @Default("720h") @Within(min = "1h", max = "87600h")
            Duration maxAge,

            @Doc("With by_count: so many versions keep their payload.") @Default("10000") @Range(min = 100)
            int maxCount,

            @Doc("With by_size: payloads go until the log is this small.")
            @Default("1GiB")
            @Within(min = "1MiB", max = "1024GiB")
            Bytes targetBytes) {}

    /** What is pruned. */
    public enum Policy {
        KEEP,
        BY_AGE,
        BY_COUNT,
        BY_SIZE
    }

    /** {@code [registry.verify]}. */
    @Doc("Checking the whole log again in the background, signatures included.")
    @OnChange(Change.HOT)
    public record Verify(
            @Doc("Work in each second.") @Default("20ms") @Within(min = "1ms", max = "200ms")
            Duration slice) {}

    /** {@code [registry.stream]}. */
    @Doc("News of commits.")
    public record Stream(
            @Doc("Time between two heartbeats.") @Default("5s") @Within(min = "100ms", max = "1m")
            Duration heartbeat,

            @Doc("Readers at once.") @Default("8192") @Range(min = 1, max = 65_536)
            int maxClients,

            @Doc("A reader that is so many commits behind goes on at the newest.")
            @Default("64")
            @Range(min = 1, max = 1000)
            int clientBuffer,

            @Doc("So many past commits can be asked for when reconnecting.")
            @Default("1000")
            @Range(min = 1, max = 1000)
            int replayMax) {}

    /** {@code [registry.bus]}. */
    @Doc("News to the other services.")
    public record BusSettings(
            @Doc("Commits that are kept for readers of the news inside the process.")
            @Default("1024")
            @Range(min = 2, max = 65_536)
            int channelBound,

            @Doc("Whether commits are told to the other services.") @Default("true") @OnChange(Change.HOT)
            boolean emitUpdates) {}
}
