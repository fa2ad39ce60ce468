package dev.ron.http.client.stream;

import dev.ron.http.message.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes requests; one per event loop, so that its scratch array needs no care. */
final class RequestWriter {
    private static final byte[] VERSION = ascii(" HTTP/1.1\r\n");
    private static final byte[] LENGTH = ascii("content-length: ");
    private static final byte[] CHUNKED = ascii("transfer-encoding: chunked\r\n");
    private static final byte[] ZERO = ascii("0\r\n");
    private static final byte[] CRLF = ascii("\r\n");
    private static final ByteBuf LINE_END = constant("\r\n");
    private static final ByteBuf LAST_CHUNK = constant("0\r\n\r\n");

    private byte[] text = new byte[1024];
    private int length;

    /** The head as one buffer. */
    ByteBuf head(StreamRequest request, ByteBufAllocator allocator) {
        length = 0;
        put(request.method());
        room(1);
        text[length++] = ' ';
        put(request.target());
        put(VERSION);
        put(request.headers().wire());
        if (request.bodyLength() == StreamRequest.CHUNKED) {
            put(CHUNKED);
        } else if (request.bodyLength() >= 0) {
            put(LENGTH);
            put(Long.toString(request.bodyLength()));
            put(CRLF);
        }
        put(CRLF);
        return allocator.directBuffer(length).writeBytes(text, 0, length);
    }

    static void chunk(Channel channel, ByteBuf piece) {
        String size = Integer.toHexString(piece.readableBytes());
        ByteBuf line = channel.alloc().directBuffer(size.length() + 2);
        line.writeCharSequence(size, StandardCharsets.US_ASCII);
        channel.write(line.writeShort('\r' << 8 | '\n'), channel.voidPromise());
        channel.write(piece, channel.voidPromise());
        channel.write(LINE_END.duplicate(), channel.voidPromise());
    }

    static void lastChunk(Channel channel, Headers trailers) {
        if (trailers.size() == 0) {
            channel.write(LAST_CHUNK.duplicate(), channel.voidPromise());
        } else {
            byte[] fields = trailers.wire();
            ByteBuf end = channel.alloc().directBuffer(fields.length + 5);
            end.writeBytes(ZERO).writeBytes(fields).writeBytes(CRLF);
            channel.write(end, channel.voidPromise());
        }
    }

    // A method and a target were parsed or built from visible ASCII; anything else must not become another byte.
    private void put(String part) {
        room(part.length());
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c <= 0x20 || c >= 0x7F) {
                throw new IllegalArgumentException("request line with the character " + (int) c);
            }
            text[length++] = (byte) c;
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

    private static ByteBuf constant(String text) {
        return Unpooled.unreleasableBuffer(
                Unpooled.directBuffer().writeBytes(ascii(text)).asReadOnly());
    }
}
