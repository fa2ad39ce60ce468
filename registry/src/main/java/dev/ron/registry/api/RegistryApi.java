package dev.ron.registry.api;

import dev.ron.http.guard.Guard;
import dev.ron.http.guard.InflightGuard;
import dev.ron.http.guard.RateGuard;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.Routes;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.flow.Retry;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Clock;
import dev.ron.registry.book.Registry;
import dev.ron.registry.commit.Counter;
import dev.ron.registry.stream.StreamHub;
import dev.ron.registry.tlog.Archive;
import dev.ron.registry.tlog.Bundles;
import dev.ron.registry.tlog.Notary;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Every route of the registry, under {@code /registry}. */
public final class RegistryApi {
    private final Parts parts;

    /** What the endpoints are made from. */
    public record Parts(
            Registry registry,
            Notary notary,
            Optional<Archive> archive,
            StreamHub stream,
            Gate gate,
            Lane verify,
            Lane files,
            Retry reads,
            Watch<Long> heads,
            Permits waiters,
            Counter proposals,
            Counter approvals,
            Counter commits,
            Counter ctl,
            Deadlines deadlines,
            Clock clock,
            SecureRandom random) {}

    /** The longest that a write may take. */
    public record Deadlines(Duration propose, Duration approve, Duration commit) {}

    public RegistryApi(Parts parts) {
        this.parts = parts;
    }

    public Routes routes(HostConfig limits, TokenBucket writes, Permits inflight) {
        Guard room = new InflightGuard(inflight);
        Routes routes = new Routes(limits, room);
        Shelves shelves = new Shelves(parts.files, parts.reads);
        addReads(routes, shelves);
        addProofs(routes, shelves);
        addWrites(routes, new RateGuard(writes, "registry.limits.rps"));
        // A stream has no end, so it holds no place among the requests; its readers have a bound of their own.
        routes.add(
                List.of("GET"),
                "/registry/stream",
                routes.with(parts.stream.handler()).guards());
        return routes;
    }

    private void addReads(Routes routes, Shelves shelves) {
        ReadEndpoints reads = new ReadEndpoints(parts.registry, parts.heads, parts.waiters, shelves, parts.clock);
        routes.add(
                List.of("GET"),
                "/registry/head",
                routes.with((BlockingHandler) reads::head).timeout(Duration.ofSeconds(35)));
        get(routes, "/registry/log", reads::log);
        get(routes, "/registry/versions/{version}", reads::version);
        get(routes, "/registry/{version}", reads::version);
        get(routes, "/registry/descriptors", reads::descriptors);
        get(routes, "/registry/descriptors/{id}", reads::descriptor);
        get(routes, "/registry/signers", reads::signers);
        get(routes, "/registry/proposals", reads::proposals);
        get(routes, "/registry/proposals/{id}", reads::proposal);
        get(routes, "/registry/audit", reads::audit);
    }

    private void addProofs(Routes routes, Shelves shelves) {
        ProofEndpoints proofs = new ProofEndpoints(
                parts.registry, parts.notary, new Bundles(parts.registry, parts.notary), parts.archive, shelves);
        get(routes, "/registry/checkpoint", proofs::checkpoint);
        get(routes, "/registry/tlog/checkpoint", proofs::checkpoint);
        get(routes, "/registry/checkpoints", proofs::checkpoints);
        get(routes, "/registry/checkpoints/{size}", proofs::storedCheckpoint);
        get(routes, "/registry/tlog/vkey", proofs::vkey);
        get(routes, "/registry/tlog/tile/**", proofs::tile);
        get(routes, "/registry/proof/inclusion", proofs::inclusion);
        get(routes, "/registry/proof/consistency", proofs::consistency);
        get(routes, "/registry/proof/state", proofs::state);
        get(routes, "/registry/proof/{file}", proofs::tlogProof);
        get(routes, "/registry/bundle/{version}", proofs::bundle);
    }

    private void addWrites(Routes routes, RateGuard rate) {
        WriteEndpoints writes = new WriteEndpoints(
                parts.registry,
                parts.gate,
                rate,
                parts.verify,
                new WriteEndpoints.Counters(parts.proposals, parts.approvals, parts.commits, parts.ctl),
                parts.clock,
                parts.random);
        write(routes, "POST", "/registry/proposals", writes::propose, parts.deadlines.propose());
        write(routes, "DELETE", "/registry/proposals/{id}", writes::withdraw, parts.deadlines.propose());
        write(routes, "POST", "/registry/approvals/{id}", writes::approve, parts.deadlines.approve());
        write(routes, "POST", "/registry/commit/{id}", writes::commit, parts.deadlines.commit());
    }

    private static void get(Routes routes, String path, BlockingHandler handler) {
        routes.get(path, handler);
    }

    private static void write(Routes routes, String method, String path, BlockingHandler handler, Duration limit) {
        routes.add(List.of(method), path, routes.with(handler).timeout(limit));
    }
}
