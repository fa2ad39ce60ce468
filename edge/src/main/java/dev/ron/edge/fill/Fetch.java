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
    private static final Duration COMMIT = Duration.ofSeconds(5);
    private static final int MOST_PASSING = 8 << 20;
    private static final int LEAST_PASSING = 64 << 10;

    private final Origins origins;
    private final EventLoops loops;
    private final Cas cas;
    private final CasCommitter committer;
    private final FillMeter meter;
    private final Supplier<EdgeConfig> config;
    private final Clock clock;
    private final String agent;
    private final Spare spare = new Spare(Runtime.getRuntime().maxMemory());

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

    /** To be taken for a fill, and closed when those who wait for it have been told. */
    Spare.Share share() {
        return spare.share();
    }

    /** Fetches, or asks whether {@code known} is still what the origin has, if the store has it still. */
    Filled once(Errand errand, Optional<Stored> known, Spare.Share share) {
        AssetKey key = errand.key();
        share.clear();
        Optional<Stored> before = known.filter(object -> cas.holds(object.digest()));
        EdgeConfig.LiveFill rules = config.get().liveFill();
        Deadline attempt = Deadline.after(clock, Duration.ofSeconds(rules.timeoutSecs()));
        Optional<String> tag = before.flatMap(Stored::etag);
        try {
            Iterator<Endpoint> places = origins.endpoints(key.origin(), attempt);
            StreamRequest request = new StreamRequest(
                    "GET", key.target(), fields(errand, tag), StreamRequest.NO_BODY, attempt.atNanos(), STALL, false);
            return ask(places, request, download -> take(download, key, before, rules, attempt, share));
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

    private Headers fields(Errand errand, Optional<String> tag) {
        Headers.Builder fields = new Headers.Builder()
                .add("Host", errand.key().origin().authority())
                .add("Accept", "*/*")
                .add("Accept-Encoding", "identity")
                .add("User-Agent", agent)
                .add("CDN-Loop", CdnLoop.passedOn(errand.loop()));
        tag.ifPresent(known -> fields.add("If-None-Match", known));
        return fields.build();
    }

    private Filled take(
            Download download,
            AssetKey key,
            Optional<Stored> before,
            EdgeConfig.LiveFill rules,
            Deadline attempt,
            Spare.Share share) {
        ResponseHead head = download.head(attempt);
        Instant now = clock.now();
        Verdict verdict = Verdict.of(head, key, rules, before, now);
        Instant until = now.plusSeconds(verdict.ttlSeconds());
        Instant left = now.minusSeconds(verdict.ageSeconds()); // the origin, perhaps by way of other caches
        if (verdict.notModified() && !verdict.keep()) {
            return passing(before.orElseThrow(), key, share);
        }
        if (verdict.notModified()) {
            return new Filled.Kept(before.orElseThrow().renewed(left, until, verdict.said()), false, Optional.empty());
        }
        if (!verdict.keep()) {
            int most = (int) Math.min(MOST_PASSING, Verdict.maxBytes(key, rules));
            byte[] bytes = inMemory(download, key, most, head.length(), attempt, share);
            return new Filled.Passing(
                    verdict.mediaType(), ByteBuffer.wrap(bytes), Blake3.hash(bytes), Optional.empty());
        }
        try (Staged staged = cas.stage(Verdict.maxBytes(key, rules))) {
            copy(download, staged, key, attempt);
            Committed committed = commit(staged);
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

    /** On a clock of its own: that the store is slow is not the origin's fault, and no reason to fetch again. */
    private Committed commit(Staged staged) {
        try {
            return committer.commit(Deadline.after(clock, COMMIT), staged);
        } catch (RonException e) {
            throw e.code() == Code.TIMEOUT
                    ? new RonException(
                            Code.STORAGE_BUSY, "cas_busy", "the store did not take the object in time", null, e)
                    : e;
        }
    }

    /** What must not be kept any more goes to those who wait, and nowhere else. */
    private Filled passing(Stored object, AssetKey key, Spare.Share share) {
        if (object.size() > MOST_PASSING) {
            throw Verdict.upstream(
                    "upstream_refused", key + " must not be kept any more and is too large to be passed on");
        }
        Optional<Blob> found = cas.open(object.digest());
        if (found.isEmpty()) {
            return new Filled.Kept(object, false, Optional.empty()); // whoever wants to take it in hand sees it too
        }
        try (Blob blob = found.get()) {
            ByteBuffer bytes = ByteBuffer.wrap(share.array((int) blob.size()));
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

    private byte[] inMemory(
            Download download, AssetKey key, int most, long length, Deadline attempt, Spare.Share share) {
        if (length > most) {
            throw tooLargeToPass(key);
        }
        byte[] all = share.array(length < 0 ? LEAST_PASSING : (int) length);
        int size = 0;
        for (var chunk = next(download, key, attempt); chunk.isPresent(); chunk = next(download, key, attempt)) {
            ByteBuf bytes = chunk.get();
            try {
                int wanted = size + bytes.readableBytes();
                if (wanted > most) {
                    throw tooLargeToPass(key);
                }
                if (wanted > all.length) {
                    byte[] larger = share.array(Math.max(wanted, Math.min(most, 2 * all.length)));
                    System.arraycopy(all, 0, larger, 0, size);
                    all = larger;
                }
                bytes.readBytes(all, size, bytes.readableBytes());
                size = wanted;
            } finally {
                bytes.release();
            }
        }
        if (size == all.length) {
            return all;
        }
        byte[] exact = share.array(size);
        System.arraycopy(all, 0, exact, 0, size);
        return exact;
    }

    private static RonException tooLargeToPass(AssetKey key) {
        return Verdict.upstream("too_large", key + " must not be kept and is too large to be passed on");
    }
}
