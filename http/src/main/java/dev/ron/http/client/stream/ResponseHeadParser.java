package dev.ron.http.client.stream;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Octets;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the heads of responses strictly; one per event loop, so that its scratch array needs no care. */
final class ResponseHeadParser {
    private static final byte[] VERSION = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);
    private static final int FIRST_WINDOW = 2048; // most heads fit; the body behind them is not looked at
    private static final int STATUS_AT = 9;

    private final int maxBytes;
    private final int maxFields;
    private final byte[] text;
    private int[] spans = new int[64];
    private int length;
    private int at;
    private int fields;
    private int status;
    private boolean http10;

    ResponseHeadParser(int maxBytes, int maxFields) {
        this.maxBytes = maxBytes;
        this.maxFields = maxFields;
        this.text = new byte[maxBytes];
    }

    /** True when a whole head was read, and consumed; a head that can no longer become good is a {@link BadResponse}. */
    boolean parse(ByteBuf in) {
        return window(in, true);
    }

    /** The same for the fields behind the last chunk, which are dropped. */
    boolean parseTrailer(ByteBuf in) {
        return window(in, false);
    }

    private boolean window(ByteBuf in, boolean withStatusLine) {
        int readable = in.readableBytes();
        for (int window = FIRST_WINDOW; ; window *= 4) {
            length = Math.min(readable, Math.min(window, maxBytes));
            in.getBytes(in.readerIndex(), text, 0, length);
            at = 0;
            fields = 0;
            if ((!withStatusLine || statusLine()) && fields()) {
                in.skipBytes(at);
                return true;
            }
            BadResponse.unless(length < maxBytes, "a head beyond " + maxBytes + " bytes");
            if (length == readable) {
                return false;
            }
        }
    }

    private boolean statusLine() {
        for (int i = 0; i < Math.min(length, VERSION.length); i++) {
            BadResponse.unless(text[i] == VERSION[i], "no status line");
        }
        if (length <= STATUS_AT + 4) {
            return false;
        }
        http10 = text[7] == '0';
        BadResponse.unless((http10 || text[7] == '1') && text[8] == ' ', "a version that is not known");
        status = 0;
        for (int i = STATUS_AT; i < STATUS_AT + 3; i++) {
            BadResponse.unless(text[i] >= '0' && text[i] <= '9', "a status that is no number");
            status = 10 * status + text[i] - '0';
        }
        BadResponse.unless(status >= 100 && status <= 599, "a status that is not known");
        at = STATUS_AT + 3;
        BadResponse.unless(text[at] == ' ' || text[at] == '\r', "a status that is no number");
        while (at < length && Octets.isFieldValue(text[at])) {
            at++;
        }
        return lineEnd();
    }

    private boolean lineEnd() {
        if (at >= length) {
            return false;
        }
        BadResponse.unless(text[at] == '\r', "a control character in a line");
        if (at + 1 >= length) {
            return false;
        }
        BadResponse.unless(text[at + 1] == '\n', "a line that ends in CR alone");
        at += 2;
        return true;
    }

    private boolean fields() {
        while (at < length) {
            if (text[at] == '\r') {
                return lineEnd();
            }
            if (!field()) {
                return false;
            }
        }
        return false;
    }

    /** One field line; a fold starts with a space, which no name may hold, and so does a space before the colon. */
    private boolean field() {
        int nameStart = at;
        int i = at;
        while (i < length && Octets.isToken(text[i])) {
            i++;
        }
        if (i == length) {
            return false;
        }
        BadResponse.unless(i > nameStart && text[i] == ':', "a field name that is no token");
        int nameEnd = i++;
        while (i < length && (text[i] == ' ' || text[i] == '\t')) {
            i++;
        }
        int valueStart = i;
        while (i < length && Octets.isFieldValue(text[i])) {
            i++;
        }
        int valueEnd = i;
        while (valueEnd > valueStart && (text[valueEnd - 1] == ' ' || text[valueEnd - 1] == '\t')) {
            valueEnd--;
        }
        at = i;
        if (!lineEnd()) {
            return false;
        }
        note(nameStart, nameEnd, valueStart, valueEnd);
        return true;
    }

    private void note(int nameStart, int nameEnd, int valueStart, int valueEnd) {
        BadResponse.unless(fields < maxFields, "more than " + maxFields + " header fields");
        int place = 4 * fields++;
        if (spans.length < place + 4) {
            spans = Arrays.copyOf(spans, 2 * spans.length);
        }
        spans[place] = nameStart;
        spans[place + 1] = nameEnd;
        spans[place + 2] = valueStart;
        spans[place + 3] = valueEnd;
    }

    int status() {
        return status;
    }

    boolean http10() {
        return http10;
    }

    Headers headers() {
        return new Headers(Arrays.copyOf(text, at), Arrays.copyOf(spans, 4 * fields), fields);
    }
}
