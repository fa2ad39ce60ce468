package dev.ron.edge.fill;

import dev.ron.edge.cas.Blob;
import dev.ron.edge.cas.Cas;
import dev.ron.edge.cas.CasCommitter;
import dev.ron.edge.cas.Committed;
import dev.ron.edge.cas.Staged;
import dev.ron.edge.config.EdgeConfig;
import dev.ron.edge.digest.Blake3;
import dev.ron.http.client.stream.Endpoint;
import dev.ron.http.client.stream.ResponseHead;
import dev.ron.http.client.stream.StreamRequest;
import dev.ron.http.client.stream.UpstreamFailure;
import dev.ron.http.client.stream.UpstreamFailure.Kind;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.message.Headers;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** One attempt to bring an object: vetted connection, checked head, body into the store as it comes. */
final class Fetch {
    private static final Duration STALL = Duration.ofSeconds(2);
    private static final int MOST_PASSING = 8 << 20;

    private final Origins origins;
    private final EventLoops loops;
    private final Cas cas;
    private final CasCommitter committer;
    private final FillMeter meter;
    private final Supplier<EdgeConfig> config;
    private final Clock clock;
    private final String agent;

    Fetch(
            Origins origins,
            EventLoops loops,
            Cas cas,
            CasCommitter committer,
            FillMeter meter,
            Supplier<EdgeConfig> config,
            Clock clock,
            String agent) {
        this.origins = origins;
        this.loops = loops;
        this.cas = cas;
        this.committer = committer;
        this.meter = meter;
        this.config = config;
        this.clock = clock;
        this.agent = agent;
    }

    /** Fetches, or asks whether {@code known} is still what the origin has, if the store has it still. */
    Filled once(AssetKey key, Optional<Stored> known, String loop) {
        Optional<Stored> before = known.filter(object -> cas.holds(object.digest()));
        EdgeConfig.LiveFill rules = config.get().liveFill();
        Deadline attempt = Deadline.after(clock, Duration.ofSeconds(rules.timeoutSecs()));
        Optional<String> tag = before.flatMap(Stored::etag);
        try {
            Iterator<Endpoint> places = origins.endpoints(key.origin(), attempt);
            StreamRequest request = new StreamRequest(
                    "GET",
                    key.target(),
                    fields(key, tag, loop),
                    StreamRequest.NO_BODY,
                    attempt.atNanos(),
                    STALL,
                    false);
            return ask(places, request, download -> take(download, key, before, rules, attempt));
        } catch (RonException e) {
            throw e.code() == Code.TIMEOUT
                    ? new RonException(Code.UPSTREAM_TIMEOUT, "timeout", key + ": no answer in time", null, e)
                    : e;
        }
    }

    /** Has an answer taken; what reached no one goes to the next address, or once more where the connection was old. */
    private Filled ask(Iterator<Endpoint> places, StreamRequest first, Function<Download, Filled> taken) {
        Endpoint place = places.next();
        StreamRequest request = first;
        while (true) {
            try (Download download = Download.start(loops.group().next(), place, request)) {
                return taken.apply(download);
            } catch (UpstreamFailure why) {
                boolean unreached = why.kind() == Kind.CONNECT || why.kind() == Kind.CONNECT_TIMEOUT;
                if (unreached && places.hasNext()) {
                    place = places.next();
                } else if (why.kind() == Kind.STALE && !request.fresh()) {
                    request = request.onFreshConnection();
                } else {
                    throw why;
                }
            }
        }
    }

    private Headers fields(AssetKey key, Optional<String> tag, String loop) {
        Headers.Builder fields = new Headers.Builder()
                .add("Host", key.origin().authority())
                .add("Accept", "*/*")
                .add("Accept-Encoding", "identity")
                .add("User-Agent", agent)
                .add("CDN-Loop", CdnLoop.passedOn(loop));
        tag.ifPresent(known -> fields.add("If-None-Match", known));
        return fields.build();
    }

    private Filled take(
            Download download, AssetKey key, Optional<Stored> before, EdgeConfig.LiveFill rules, Deadline attempt) {
        ResponseHead head = download.head(attempt);
        Instant now = clock.now();
        Verdict verdict = Verdict.of(head, key, rules, before, now);
        Instant until = now.plusSeconds(verdict.ttlSeconds());
        Instant left = now.minusSeconds(verdict.ageSeconds()); // the origin, perhaps by way of other caches
        if (verdict.notModified() && !verdict.keep()) {
            return passing(before.orElseThrow(), key);
        }
        if (verdict.notModified()) {
            return new Filled.Kept(before.orElseThrow().renewed(left, until, verdict.said()), false, Optional.empty());
        }
        if (!verdict.keep()) {
            byte[] bytes = inMemory(download, key, Math.min(MOST_PASSING, Verdict.maxBytes(key, rules)), attempt);
            return new Filled.Passing(
                    verdict.mediaType(), ByteBuffer.wrap(bytes), Blake3.hash(bytes), Optional.empty());
        }
        try (Staged staged = cas.stage(Verdict.maxBytes(key, rules))) {
            copy(download, staged, key, attempt);
            Committed committed = committer.commit(attempt.min(Deadline.after(clock, Duration.ofSeconds(5))), staged);
            meter.written(committed.duplicate());
            return new Filled.Kept(
                    new Stored(
                            committed.digest(),
                            committed.size(),
                            verdict.mediaType(),
                            verdict.etag(),
                            verdict.lastModified(),
                            left,
                            until,
                            verdict.said()),
                    !committed.duplicate(),
                    Optional.empty());
        }
    }

    /** What must not be kept any more goes to those who wait, and nowhere else. */
    private Filled passing(Stored object, AssetKey key) {
        if (object.size() > MOST_PASSING) {
            throw Verdict.upstream(
                    "upstream_refused", key + " must not be kept any more and is too large to be passed on");
        }
        Optional<Blob> found = cas.open(object.digest());
        if (found.isEmpty()) {
            return new Filled.Kept(object, false, Optional.empty()); // whoever wants to take it in hand sees it too
        }
        try (Blob blob = found.get()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) blob.size());
            blob.read(0, bytes);
            return new Filled.Passing(object.mediaType(), bytes.flip(), object.digest(), Optional.empty());
        }
    }

    private Optional<ByteBuf> next(Download download, AssetKey key, Deadline attempt) {
        Optional<ByteBuf> chunk = download.next(attempt);
        chunk.ifPresent(bytes -> meter.received(key.origin().host(), bytes.readableBytes()));
        return chunk;
    }

    private void copy(Download download, Staged staged, AssetKey key, Deadline attempt) {
        for (var chunk = next(download, key, attempt); chunk.isPresent(); chunk = next(download, key, attempt)) {
            ByteBuf bytes = chunk.get();
            try {
                for (ByteBuffer part : bytes.nioBuffers()) {
                    staged.write(part);
                }
            } catch (RonException e) {
                throw e.reason().equals("too_large") ? Verdict.upstream("too_large", key + ": " + e.detail()) : e;
            } finally {
                bytes.release();
            }
        }
    }

    private byte[] inMemory(Download download, AssetKey key, long most, Deadline attempt) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (var chunk = next(download, key, attempt); chunk.isPresent(); chunk = next(download, key, attempt)) {
            ByteBuf bytes = chunk.get();
            try {
                if (all.size() + bytes.readableBytes() > most) {
                    throw Verdict.upstream("too_large", key + " must not be kept and is too large to be passed on");
                }
                byte[] part = new byte[bytes.readableBytes()];
                bytes.readBytes(part);
                all.writeBytes(part);
            } finally {
                bytes.release();
            }
        }
        return all.toByteArray();
    }
}
