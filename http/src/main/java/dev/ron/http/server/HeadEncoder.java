package dev.ron.http.server;

import dev.ron.http.loop.LentBuffer;
import dev.ron.http.message.Headers;
import dev.ron.kernel.time.Clock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.util.Arrays;
import java.util.Locale;

/** Writes the heads of answers; one per event loop, so that its scratch array and its date line need no care. */
final class HeadEncoder {
    private static final byte[] CORR_ID = ascii("X-Corr-ID: ");
    private static final byte[] LENGTH = ascii("\r\nContent-Length: ");
    private static final byte[] CHUNKED = ascii("\r\nTransfer-Encoding: chunked");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] ZERO = ascii("0\r\n");
    private static final byte[] CRLF = ascii("\r\n");
    private static final long SECOND = 1_000_000_000L;
    private static final int COPIED_BODY = 4 << 10;
    private static final int LENT = 8 << 10; // a head with a body that is copied
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("'Date: 'EEE, dd MMM yyyy HH:mm:ss 'GMT\r\n'", Locale.ROOT);

    /** Renews an answer that is stored somewhere with all its fields: it says only what may have changed. */
    static final int NOT_MODIFIED = 304;

    /** How the end of a body is told. */
    static final long CHUNKED_BODY = -1;

    static final long UNTIL_CLOSE = -2;
    static final long NO_BODY = -3;

    private final Clock clock;
    private final byte[] everywhere;
    private final byte[][] statusLines = new byte[600][0];
    private final LentBuffer lent = new LentBuffer(LENT);
    private byte[] text = new byte[1024];
    private int length;
    private byte[] date = new byte[0];
    private long dateGoodUntil = -1;
    private boolean renews;

    /** @param everywhere the fields of every answer, as they go over the wire */
    HeadEncoder(Clock clock, byte[] everywhere) {
        this.clock = clock;
        this.everywhere = everywhere;
    }

    /** Starts a head; {@code now} is the loop's monotonic time. */
    void begin(int status, CorrId corrId, long now) {
        length = 0;
        renews = status == NOT_MODIFIED;
        put(statusLine(status));
        if (now >= dateGoodUntil) {
            refreshDate(now);
        }
        put(date);
        put(CORR_ID);
        room(CorrId.MAX_LENGTH);
        length = corrId.write(text, length);
    }

    void end(long bodyLength, boolean close, Headers headers) {
        if (bodyLength >= 0) {
            put(LENGTH);
            number(bodyLength);
        } else if (bodyLength == CHUNKED_BODY) {
            put(CHUNKED);
        }
        put(CRLF);
        if (!renews) {
            put(everywhere);
        }
        if (headers.size() > 0) {
            put(headers.wire());
        }
        if (close) {
            put(CLOSE);
        }
        put(CRLF);
    }

    /** A whole head without a body, a date or an id: for interim answers. */
    void interim(int status, Headers headers) {
        length = 0;
        put(statusLine(status));
        put(headers.wire());
        put(CRLF);
    }

    /** The last chunk with the fields that follow it. */
    ByteBuf lastChunk(Headers trailers, ByteBufAllocator allocator) {
        length = 0;
        put(ZERO);
        put(trailers.wire());
        put(CRLF);
        return toBuffer(allocator);
    }

    /** The date as a field value. */
    CharSequence dateValue(long now) {
        if (now >= dateGoodUntil) {
            refreshDate(now);
        }
        return new String(date, 6, date.length - 8, StandardCharsets.US_ASCII);
    }

    /** True if the body was taken into the head's buffer: one buffer, one write. */
    boolean tryAppendBody(byte[] body) {
        if (body.length > COPIED_BODY) {
            return false;
        }
        put(body);
        return true;
    }

    int size() {
        return length;
    }

    ByteBuf toBuffer(ByteBufAllocator allocator) {
        return lent.take(length, allocator).writeBytes(text, 0, length);
    }

    private void refreshDate(long now) {
        Instant wall = clock.now();
        date = DATE.format(wall.atOffset(ZoneOffset.UTC)).getBytes(StandardCharsets.US_ASCII);
        dateGoodUntil = now + SECOND - wall.getLong(ChronoField.NANO_OF_SECOND);
    }

    private byte[] statusLine(int status) {
        byte[] line = statusLines[status];
        if (line.length == 0) {
            String words = HttpResponseStatus.valueOf(status).reasonPhrase();
            line = ascii("HTTP/1.1 " + status + " " + words + "\r\n");
            statusLines[status] = line;
        }
        return line;
    }

    private void number(long value) {
        room(20);
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            digits++;
        }
        length += digits;
        long rest = value;
        for (int i = 1; i <= digits; i++) {
            text[length - i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private void put(byte[] part) {
        room(part.length);
        System.arraycopy(part, 0, text, length, part.length);
        length += part.length;
    }

    private void room(int more) {
        if (text.length - length < more) {
            text = Arrays.copyOf(text, Math.max(2 * text.length, length + more));
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
