package dev.ron.bench.side;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One HTTP/1.1 connection that is kept: asks, waits, asks again. */
public final class Wire implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final int port;

    public Wire(int port) throws IOException {
        this.port = port;
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream(), 1 << 13);
        this.out = socket.getOutputStream();
    }

    /** An answer. */
    public record Answer(int status, String body) {}

    /** Posts JSON; {@code head} is more header lines, each with its line end. */
    public Answer post(String path, String head, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String text = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
                + "\r\nContent-Type: application/json\r\nContent-Length: " + bytes.length + "\r\n" + head + "\r\n";
        byte[] start = text.getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[start.length + bytes.length];
        System.arraycopy(start, 0, whole, 0, start.length);
        System.arraycopy(bytes, 0, whole, start.length, bytes.length);
        out.write(whole);
        return read();
    }

    public Answer get(String path) throws IOException {
        send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n");
        return read();
    }

    /** Sends a request as it is. */
    public void send(String request) throws IOException {
        out.write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private Answer read() throws IOException {
        String first = line();
        int length = 0;
        boolean chunked = false;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            }
            chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
        }
        StringBuilder body = new StringBuilder();
        if (chunked) {
            for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
                body.append(new String(in.readNBytes(size), StandardCharsets.UTF_8));
                line();
            }
            line();
        } else {
            body.append(new String(in.readNBytes(length), StandardCharsets.UTF_8));
        }
        return new Answer(Integer.parseInt(first.substring(9, 12)), body.toString());
    }

    /** The next line; empty at the end of a head. */
    public String line() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection ended");
            }
            if (c != '\r') {
                text.append((char) c);
            }
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
