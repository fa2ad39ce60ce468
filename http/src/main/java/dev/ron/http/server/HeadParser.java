package dev.ron.http.server;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Octets;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Parses request heads and trailers, strictly: whatever RFC 9112 merely tolerates is refused, so that no peer can read
 * the same bytes differently.
 *
 * <p>One parser serves all connections of an event loop; its scratch array is overwritten by the next call. What was
 * parsed is copied out by {@link #head}.
 */
final class HeadParser {
    /** What a call came to. */
    enum Outcome {
        /** The bytes so far are good but not all. */
        INCOMPLETE,
        COMPLETE
    }

    private static final Refusal REQUEST_LINE = Refusal.framing("the request line is malformed");
    private static final Refusal FIELD = Refusal.framing("a header field is malformed");
    private static final byte[] VERSION_START = "HTTP/".getBytes(StandardCharsets.US_ASCII);

    private final int maxLine;
    private final int maxHead;
    private final int maxFields;
    private final byte[] text;
    private int length; // bytes of the text that are there
    private int at; // the next byte to look at
    private int methodStart;
    private int methodEnd;
    private int targetEnd;
    private boolean http10;
    private int[] spans = new int[64];
    private int fields;

    HeadParser(HostConfig.HeadLimits limits) {
        this.maxLine = limits.maxLineBytes();
        this.maxHead = limits.maxHeadBytes();
        this.maxFields = limits.maxFields();
        this.text = new byte[maxHead];
    }

    /** Looks at the readable bytes without consuming them; a head that can no longer become good is a refusal. */
    Outcome parseHead(ByteBuf in) {
        load(in);
        if (!requestLine()) {
            int line = length - methodStart;
            if (line > maxLine || full()) {
                throw Refusal.URI_CAP.exception();
            }
            return Outcome.INCOMPLETE;
        }
        if (at - methodStart > maxLine + 2) {
            throw Refusal.URI_CAP.exception();
        }
        return fields(in);
    }

    /** The fields after the last chunk, up to and with the empty line. */
    Outcome parseTrailer(ByteBuf in) {
        load(in);
        return fields(in);
    }

    /** How many bytes the last complete head or trailer took. */
    int consumed() {
        return at;
    }

    private void load(ByteBuf in) {
        length = Math.min(in.readableBytes(), maxHead);
        in.getBytes(in.readerIndex(), text, 0, length);
        at = 0;
        fields = 0;
    }

    private boolean full() {
        return length == maxHead;
    }

    /** False when more bytes are needed. */
    private boolean requestLine() {
        // One empty line before the request line is what some clients leave behind after a body.
        methodStart = 0;
        if (length > 0 && text[0] == '\r') {
            if (length == 1) {
                return false;
            }
            require(text[1] == '\n', REQUEST_LINE);
            methodStart = 2;
        }
        at = methodStart;
        while (at < length && Octets.isToken(text[at])) {
            at++;
        }
        methodEnd = at;
        if (at == length) {
            return false;
        }
        require(at > methodStart && text[at] == ' ', REQUEST_LINE);
        at++;
        while (at < length && text[at] > 0x20 && text[at] < 0x7F) {
            at++;
        }
        targetEnd = at;
        require(at - methodStart <= maxLine, Refusal.URI_CAP);
        if (at == length) {
            return false;
        }
        require(at > methodEnd + 1 && text[at] == ' ', REQUEST_LINE);
        at++;
        return version();
    }

    private boolean version() {
        for (int i = 0; i < VERSION_START.length; i++) {
            if (at + i == length) {
                return false;
            }
            require(text[at + i] == VERSION_START[i], REQUEST_LINE);
        }
        at += VERSION_START.length;
        for (int i = 0; i < 5; i++) {
            if (at + i == length) {
                return false;
            }
            byte c = text[at + i];
            boolean good = switch (i) {
                case 1 -> c == '.';
                case 3 -> c == '\r';
                case 4 -> c == '\n';
                default -> c >= '0' && c <= '9';
            };
            require(good, REQUEST_LINE);
        }
        int minor = text[at + 2] - '0';
        require(text[at] == '1' && minor <= 1, Refusal.VERSION);
        http10 = minor == 0;
        at += 5;
        return true;
    }

    private Outcome fields(ByteBuf in) {
        while (true) {
            if (at == length) {
                return incomplete(in);
            }
            if (text[at] == '\r') {
                if (at + 1 == length) {
                    return incomplete(in);
                }
                require(text[at + 1] == '\n', FIELD);
                at += 2;
                return Outcome.COMPLETE;
            }
            if (!field()) {
                return incomplete(in);
            }
        }
    }

    private Outcome incomplete(ByteBuf in) {
        if (full() || in.readableBytes() > maxHead) {
            throw Refusal.HEADER_CAP.exception();
        }
        return Outcome.INCOMPLETE;
    }

    /** One field line; a fold starts with a space, which no name may hold, and so does a space before the colon. */
    private boolean field() {
        require(fields < maxFields, Refusal.HEADER_CAP);
        int nameStart = at;
        int i = at;
        byte[] bytes = text;
        while (i < length && Octets.isToken(bytes[i])) {
            i++;
        }
        if (i == length) {
            return false;
        }
        require(i > nameStart && bytes[i] == ':', FIELD);
        int nameEnd = i++;
        while (i < length && (bytes[i] == ' ' || bytes[i] == '\t')) {
            i++;
        }
        int valueStart = i;
        while (i < length && Octets.isFieldValue(bytes[i])) {
            i++;
        }
        if (i == length) {
            return false;
        }
        require(bytes[i] == '\r', FIELD);
        if (i + 1 == length) {
            return false;
        }
        require(bytes[i + 1] == '\n', FIELD);
        int valueEnd = i;
        while (valueEnd > valueStart && (bytes[valueEnd - 1] == ' ' || bytes[valueEnd - 1] == '\t')) {
            valueEnd--;
        }
        note(nameStart, nameEnd, valueStart, valueEnd);
        at = i + 2;
        return true;
    }

    private void note(int nameStart, int nameEnd, int valueStart, int valueEnd) {
        int place = 4 * fields++;
        if (spans.length < place + 4) {
            spans = Arrays.copyOf(spans, 2 * spans.length);
        }
        spans[place] = nameStart;
        spans[place + 1] = nameEnd;
        spans[place + 2] = valueStart;
        spans[place + 3] = valueEnd;
    }

    private static void require(boolean good, Refusal otherwise) {
        if (!good) {
            throw otherwise.exception();
        }
    }

    /** The complete head, copied out of the scratch array. */
    ParsedHead head() {
        return new ParsedHead(method(), string(methodEnd + 1, targetEnd), http10, headers());
    }

    Headers headers() {
        return new Headers(Arrays.copyOf(text, at), Arrays.copyOf(spans, 4 * fields), fields);
    }

    private String method() {
        int size = methodEnd - methodStart;
        byte first = text[methodStart];
        if (size == 3 && first == 'G' && text[methodStart + 1] == 'E' && text[methodStart + 2] == 'T') {
            return "GET";
        }
        return string(methodStart, methodEnd);
    }

    private String string(int start, int end) {
        return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
    }
}
