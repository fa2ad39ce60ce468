package dev.ron.http.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A socket on which a test says exactly what it wants and reads exactly what comes back. */
public final class RawClient implements Closeable {
    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket;
    private final InputStream in;

    /** An answer as it came. */
    public record Answer(int status, List<String> headerLines, String body) {

        public Optional<String> header(String name) {
            String start = name.toLowerCase(Locale.ROOT) + ":";
            return headerLines.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
                    .map(line -> line.substring(start.length()).strip())
                    .findFirst();
        }

        public boolean closes() {
            return header("Connection").filter("close"::equals).isPresent();
        }
    }

    public RawClient(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public RawClient send(String latin1) {
        return send(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawClient send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends what it can; a peer that closes meanwhile is no error. */
    public RawClient sendIfOpen(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException closed) {
            // the peer has said all it wanted to
        }
        return this;
    }

    public RawClient get(String path) {
        return send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    public RawClient post(String path, String body) {
        return send("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** No more will be sent; answers still come. */
    public RawClient finish() {
        try {
            socket.shutdownOutput();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next whole answer; a body ends by its length, its chunks, or the close. */
    public Answer read() {
        return read(false);
    }

    /** The next answer of a HEAD request, which has no body. */
    public Answer readHead() {
        return read(true);
    }

    private Answer read(boolean headOnly) {
        try {
            String statusLine = line();
            int status = Integer.parseInt(statusLine.substring(9, 12));
            List<String> fields = new ArrayList<>();
            for (String line = line(); !line.isEmpty(); line = line()) {
                fields.add(line);
            }
            Answer head = new Answer(status, List.copyOf(fields), "");
            boolean bare = headOnly || status < 200 || status == 204 || status == 304;
            return new Answer(status, head.headerLines(), bare ? "" : body(head));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String body(Answer head) throws IOException {
        if (head.header("Transfer-Encoding").isPresent()) {
            StringBuilder all = new StringBuilder();
            for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
                all.append(latin1(in.readNBytes(size)));
                line();
            }
            line();
            return all.toString();
        }
        Optional<String> length = head.header("Content-Length");
        return latin1(length.isPresent() ? in.readNBytes(Integer.parseInt(length.get())) : in.readAllBytes());
    }

    /** One line without its end; the end of the stream is an error. */
    public String line() {
        try {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new EOFException("closed after " + line.size() + " bytes of a line");
                }
                if (c != '\r') {
                    line.write(c);
                }
            }
            return line.toString(StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** True when the peer closes without another byte; waits for it. */
    public boolean closedByPeer() {
        try {
            return in.read() < 0;
        } catch (java.net.SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    public String readRest() {
        try {
            return latin1(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** What comes back, for protocols that are not HTTP any more. */
    public InputStream in() {
        return in;
    }

    public Socket socket() {
        return socket;
    }

    /** Goes away with a reset: who only stops sending may still be waiting for its answer. */
    public void leave() {
        try {
            socket.setSoLinger(true, 0);
        } catch (SocketException gone) {
            throw new UncheckedIOException(gone);
        }
        close();
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
