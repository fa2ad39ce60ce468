package dev.ron.edge.serve;

import dev.ron.edge.range.Answer;
import dev.ron.edge.range.ByteRange;
import dev.ron.edge.range.Preconditions;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.ResponseStream;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** Turns an object and what a request asks of it into the one right answer; event loop only. */
public final class Sender {
    private static final byte[] NOTHING = new byte[0];
    /** What is refused for a reason that is watched for, seen from the start; nothing is for amnesia: fills go to RAM. */
    private static final List<String> REASONS = List.of(
            "amnesia",
            "not_allowed",
            "decompress_cap",
            "body_cap",
            "timeout",
            "rate_limit",
            "invalid_range",
            "etag_invalid");

    private final Preconditions preconditions;
    private final boolean says;
    private final FileSend.Means files;
    private final Meter.Count partial;
    private final Meter.Count unsatisfied;

    /**
     * @param says whether answers carry Cache-Status
     * @param longestWait for room or for bytes of a file, once an answer has begun
     */
    public Sender(boolean multiRange, boolean says, Lane lane, Room room, Duration longestWait, Meter meter) {
        this.preconditions = new Preconditions(multiRange);
        this.says = says;
        this.files = new FileSend.Means(lane, room, longestWait, meter.counter("io_timeouts_total", "op", "write"));
        this.partial = meter.counter("edge_range_requests_total", "result", "206");
        this.unsatisfied = meter.counter("edge_range_requests_total", "result", "416");
        REASONS.forEach(reason -> meter.counter("edge_rejects_total", "reason", reason));
        meter.counter("io_timeouts_total", "op", "read"); // the host counts it; seen from the start too
    }

    boolean says() {
        return says;
    }

    /** Answers from memory; false, and no answer, if the object was evicted this instant. */
    boolean hot(Exchange exchange, HotObject object, boolean pinned) {
        HotObject.Heads heads = pinned ? object.pinned() : object.heads();
        if (!Asked.anything(exchange.headers())) {
            return whole(exchange, object, heads.whole());
        }
        int noneMatch = Asked.onlyNoneMatch(exchange.headers());
        if (noneMatch >= 0 && object.isTagged(exchange.headers(), noneMatch)) {
            return exchange.respond(heads.notModified()); // what nearly every 304 is; the rest goes the long way
        }
        return decided(exchange, object, heads, says ? HotObject.HIT : "", Headers.NONE);
    }

    /** Answers from memory with what was not there before this request. */
    boolean fresh(Exchange exchange, HotObject object, String status, Headers more) {
        return decided(exchange, object, object.heads(), says ? status : "", more);
    }

    /** The same under a URL that names this version. */
    boolean freshPinned(Exchange exchange, HotObject object, String status) {
        return decided(exchange, object, object.pinned(), says ? status : "", Headers.NONE);
    }

    private static boolean whole(Exchange exchange, HotObject object, Headers fields) {
        Optional<ByteBuf> bytes = object.bytes();
        if (bytes.isEmpty()) {
            return false;
        }
        body(exchange, 200, fields, bytes.get());
        return true;
    }

    /** Sends bytes from memory, which are released; piece by piece where encryption would make a copy of them all. */
    private static void body(Exchange exchange, int code, Headers fields, ByteBuf bytes) {
        ResponseStream out = exchange.start(code, fields, bytes.readableBytes());
        if (isHead(exchange)) {
            bytes.release();
            out.end(); // it needs no room of the caller's
        } else if (exchange.secure() && bytes.readableBytes() > FileSend.PIECE) {
            new PieceSend(exchange, bytes, out).start();
        } else {
            out.write(bytes);
            out.end();
        }
    }

    /** @param more what every answer with the object carries beside */
    private boolean decided(Exchange exchange, HotObject object, HotObject.Heads heads, String status, Headers more) {
        Entity entity = heads.entity();
        Answer answer = Asked.anything(exchange.headers())
                ? preconditions.decide(isHead(exchange), Asked.of(exchange.headers()), entity.is())
                : new Answer.Whole();
        switch (answer) {
            case Answer.Whole _ -> {
                Headers fields = status.equals(HotObject.HIT) ? heads.whole() : entity.whole(status);
                return whole(exchange, object, joined(fields, more));
            }
            case Answer.NotModified _ -> notModified(exchange, entity, status, more);
            case Answer.Part(ByteRange range) -> {
                Optional<ByteBuf> bytes = object.bytes();
                if (bytes.isEmpty()) {
                    return false;
                }
                partial.increment();
                ByteBuf slice = bytes.get().slice((int) range.first(), (int) range.length());
                body(exchange, 206, joined(entity.part(range, status), more), slice);
            }
            case Answer.Parts(List<ByteRange> ranges) -> {
                Optional<ByteBuf> bytes = object.bytes();
                if (bytes.isEmpty()) {
                    return false;
                }
                sendParts(exchange, entity, bytes.get(), ranges, status, more);
            }
            case Answer refused -> refuse(exchange, entity, refused, status);
        }
        return true;
    }

    private void sendParts(
            Exchange exchange, Entity entity, ByteBuf bytes, List<ByteRange> ranges, String status, Headers more) {
        partial.increment();
        String boundary = boundary();
        CompositeByteBuf body = Unpooled.compositeBuffer(Integer.MAX_VALUE);
        for (ByteRange range : ranges) {
            body.addComponent(true, text(partHead(entity, range, boundary)));
            body.addComponent(true, bytes.retainedSlice((int) range.first(), (int) range.length()));
        }
        body.addComponent(true, text(partsEnd(boundary)));
        bytes.release();
        body(exchange, 206, joined(entity.parts(boundary, status), more), body);
    }

    private static ByteBuf text(String latin1) {
        return Unpooled.copiedBuffer(latin1, StandardCharsets.ISO_8859_1);
    }

    /** Answers from a file, whose reference is taken over; {@code onBroken} hears if it turns out to be another. */
    void file(Exchange exchange, ServedFile file, String cacheStatus, Headers more, Consumer<RonException> onBroken) {
        String status = says ? cacheStatus : "";
        Entity entity = file.entity();
        boolean head = isHead(exchange);
        Answer answer = Asked.anything(exchange.headers())
                ? preconditions.decide(head, Asked.of(exchange.headers()), entity.is())
                : new Answer.Whole();
        long length = entity.is().length();
        List<FileSend.Segment> segments = new ArrayList<>();
        int code = 206;
        Headers fields;
        switch (answer) {
            case Answer.Whole _ -> {
                code = 200;
                fields = file.whole(status);
                segments.add(new FileSend.Segment.Span(0, length));
            }
            case Answer.Part(ByteRange range) -> {
                partial.increment();
                length = range.length();
                fields = entity.part(range, status);
                segments.add(new FileSend.Segment.Span(range.first(), length));
            }
            case Answer.Parts(List<ByteRange> ranges) -> {
                partial.increment();
                String boundary = boundary();
                length = 0;
                for (ByteRange range : ranges) {
                    String partHead = partHead(entity, range, boundary);
                    segments.add(new FileSend.Segment.Text(partHead));
                    segments.add(new FileSend.Segment.Span(range.first(), range.length()));
                    length += partHead.length() + range.length();
                }
                String end = partsEnd(boundary);
                segments.add(new FileSend.Segment.Text(end));
                length += end.length();
                fields = entity.parts(boundary, status);
            }
            case Answer.NotModified _ -> {
                notModified(exchange, entity, status, more);
                file.release();
                return;
            }
            case Answer other -> {
                refuse(exchange, entity, other, status);
                file.release();
                return;
            }
        }
        ResponseStream out = exchange.start(code, joined(fields, more), length);
        if (head) {
            out.end();
            file.release();
        } else {
            new FileSend(exchange, file, files, segments, out, onBroken).start();
        }
    }

    private static void notModified(Exchange exchange, Entity entity, String status, Headers more) {
        exchange.respond(Response.of(304, joined(entity.notModified(status), more), NOTHING));
    }

    private void refuse(Exchange exchange, Entity entity, Answer answer, String status) {
        switch (answer) {
            case Answer.PreconditionFailed _ ->
                exchange.fail(new RonException(
                        Code.PRECONDITION_FAILED, "precondition", "the object is not in the state that was asked for"));
            case Answer.NotSatisfiable _ -> {
                unsatisfied.increment();
                String detail = "no such range in " + entity.is().length() + " bytes";
                exchange.fail(new RonException(Code.RANGE, "invalid_range", detail), entity.unsatisfied(status));
            }
            case Answer.TooLong(String field) ->
                exchange.fail(new RonException(Code.BAD_REQUEST, "bad_request", field + " holds too much"));
            case Answer.Whole _, Answer.Part _, Answer.Parts _, Answer.NotModified _ ->
                throw new IllegalStateException("not a refusal");
        }
    }

    private static boolean isHead(Exchange exchange) {
        return exchange.method().equals("HEAD");
    }

    private static Headers joined(Headers fields, Headers more) {
        if (more.size() == 0) {
            return fields;
        }
        Headers.Builder all = new Headers.Builder();
        for (Headers part : List.of(fields, more)) {
            for (int i = 0; i < part.size(); i++) {
                all.copy(part, i);
            }
        }
        return all.build();
    }

    private static String boundary() {
        byte[] random = new byte[16];
        ThreadLocalRandom.current().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static String partHead(Entity entity, ByteRange range, String boundary) {
        String coding = entity.coding().isEmpty() ? "" : "\r\nContent-Encoding: " + entity.coding();
        return "\r\n--" + boundary + "\r\nContent-Type: " + entity.mediaType() + coding + "\r\nContent-Range: "
                + range.contentRange(entity.is().length()) + "\r\n\r\n";
    }

    private static String partsEnd(String boundary) {
        return "\r\n--" + boundary + "--\r\n";
    }
}
