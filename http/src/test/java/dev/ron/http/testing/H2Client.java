package dev.ron.http.testing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/** HTTP/2 frame by frame, over a plain socket, for tests that say exactly what they want. */
public final class H2Client implements Closeable {
    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int PRIORITY = 2;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;
    public static final int END_STREAM = 1;
    public static final int ACK = 1;
    public static final int END_HEADERS = 4;

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final Http2Headers NO_FIELDS = new DefaultHttp2Headers(false);
    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket;
    private final DataInputStream in;
    private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 64 << 10);
    private int nextStream = 1;

    /** One frame as it came. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares frames
    public record Frame(int type, int flags, int stream, byte[] payload, Http2Headers headers) {
        public boolean ends() {
            return (flags & END_STREAM) != 0;
        }

        /** The error of a reset, or of a farewell. */
        public int error() {
            int at = type == GOAWAY ? 4 : 0;
            return (payload[at] & 0xFF) << 24
                    | (payload[at + 1] & 0xFF) << 16
                    | (payload[at + 2] & 0xFF) << 8
                    | (payload[at + 3] & 0xFF);
        }
    }

    /** An answer as it came. */
    public record Answer(int status, Http2Headers headers, String body) {}

    public H2Client(int port) {
        this(plain(port));
    }

    /** Over a connection that is there already, such as one with TLS. */
    public H2Client(Socket open) {
        try {
            socket = open;
            socket.setSoTimeout(PATIENCE_MILLIS);
            in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
            socket.getOutputStream().write(PREFACE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        send(SETTINGS, 0, 0, new byte[0]);
    }

    private static Socket plain(int port) {
        try {
            Socket open = new Socket(InetAddress.getLoopbackAddress(), port);
            open.setTcpNoDelay(true);
            return open;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public H2Client send(int type, int flags, int stream, byte[] payload) {
        try {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            frame.write(payload.length >> 16);
            frame.write(payload.length >> 8);
            frame.write(payload.length);
            frame.write(type);
            frame.write(flags);
            for (int shift = 24; shift >= 0; shift -= 8) {
                frame.write(stream >> shift);
            }
            frame.writeBytes(payload);
            socket.getOutputStream().write(frame.toByteArray());
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends what it can; a peer that closes meanwhile is no error. */
    public boolean sendIfOpen(int type, int flags, int stream, byte[] payload) {
        try {
            send(type, flags, stream, payload);
            return true;
        } catch (UncheckedIOException closed) {
            return false;
        }
    }

    public byte[] block(Http2Headers headers) {
        ByteBuf out = Unpooled.buffer();
        try {
            encoder.encodeHeaders(1, headers, out);
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    public static Http2Headers head(String method, String path) {
        return new DefaultHttp2Headers(false)
                .method(method)
                .scheme("http")
                .authority("localhost")
                .path(path);
    }

    /** Sends a head on the next stream. */
    public int request(Http2Headers headers, boolean ends) {
        int stream = nextStream;
        nextStream += 2;
        send(HEADERS, END_HEADERS | (ends ? END_STREAM : 0), stream, block(headers));
        return stream;
    }

    public int get(String path) {
        return request(head("GET", path), true);
    }

    public H2Client data(int stream, String text, boolean ends) {
        return send(DATA, ends ? END_STREAM : 0, stream, text.getBytes(StandardCharsets.UTF_8));
    }

    /** The next frame; settings and pings are answered and passed over. */
    public Frame next() {
        try {
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt() & Integer.MAX_VALUE;
                byte[] payload = in.readNBytes(length);
                if (type == SETTINGS) {
                    if ((flags & ACK) == 0) {
                        sendIfOpen(SETTINGS, ACK, 0, new byte[0]);
                    }
                } else {
                    // Every block is decoded, wanted or not: the next one refers to it.
                    return new Frame(
                            type, flags, stream, payload, type == HEADERS ? decode(stream, payload) : NO_FIELDS);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next frame that is wanted; others are passed over. */
    public Frame next(Predicate<Frame> wanted) {
        Frame frame = next();
        while (!wanted.test(frame)) {
            frame = next();
        }
        return frame;
    }

    /** The whole answer on a stream; frames of other streams are passed over. */
    public Answer answer(int stream) {
        Http2Headers head = new DefaultHttp2Headers(false);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        boolean ended = false;
        while (!ended) {
            Frame frame = next(
                    f -> f.stream() == stream && (f.type() == HEADERS || f.type() == DATA || f.type() == RST_STREAM));
            if (frame.type() == RST_STREAM) {
                throw new IllegalStateException("reset with " + frame.error());
            }
            if (frame.type() == HEADERS) {
                head.add(frame.headers());
            } else {
                body.writeBytes(frame.payload());
                sendIfOpen(WINDOW_UPDATE, 0, 0, increment(Math.max(1, frame.payload().length)));
                if (!frame.ends()) {
                    sendIfOpen(WINDOW_UPDATE, 0, stream, increment(Math.max(1, frame.payload().length)));
                }
            }
            ended = frame.ends();
        }
        return new Answer(
                Integer.parseInt(head.getAll(":status").getLast().toString()),
                head,
                body.toString(StandardCharsets.UTF_8));
    }

    private Http2Headers decode(int stream, byte[] block) {
        try {
            return decoder.decodeHeaders(stream, Unpooled.wrappedBuffer(block));
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static byte[] increment(int by) {
        return new byte[] {(byte) (by >> 24), (byte) (by >> 16), (byte) (by >> 8), (byte) by};
    }

    /** What the peer said when it left; -1 if it just went. */
    public int farewell() {
        try {
            return next(frame -> frame.type() == GOAWAY).error();
        } catch (UncheckedIOException gone) {
            if (gone.getCause() instanceof EOFException || gone.getCause() instanceof SocketException) {
                return -1;
            }
            throw gone;
        }
    }

    /** True when the peer closes; what still comes is passed over. */
    public boolean closedByPeer() {
        try {
            while (true) {
                next();
            }
        } catch (UncheckedIOException gone) {
            return gone.getCause() instanceof EOFException || gone.getCause() instanceof SocketException;
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
