package dev.ron.http.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on a real port whose every connection runs a script: as hostile as the script says. */
public final class RawServer implements AutoCloseable {
    private final ServerSocket listener;
    private final Script script;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();

    /** What is done with a connection; it is closed when this returns or throws. */
    @FunctionalInterface
    public interface Script {
        /** The number of the connection counts from 1. */
        void run(Peer peer, int number) throws Exception;
    }

    /** The server's end of a connection. */
    public static final class Peer {
        private final Socket socket;

        Peer(Socket socket) {
            this.socket = socket;
        }

        /** Reads one request head and as much body as its Content-Length says; empty at the end of input. */
        public String readRequest() throws IOException {
            InputStream in = socket.getInputStream();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            while (!text(bytes).endsWith("\r\n\r\n")) {
                int b = in.read();
                if (b < 0) {
                    return "";
                }
                bytes.write(b);
            }
            String head = text(bytes);
            int at = head.toLowerCase(java.util.Locale.ROOT).indexOf("content-length: ");
            int length = at < 0 ? 0 : Integer.parseInt(head.substring(at + 16, head.indexOf('\r', at)));
            return head + new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
        }

        private static String text(ByteArrayOutputStream bytes) {
            return bytes.toString(StandardCharsets.ISO_8859_1);
        }

        public void write(String text) throws IOException {
            write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        public void write(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        }

        /** Waits until the other side closes. */
        public void awaitClose() throws IOException {
            while (socket.getInputStream().read() >= 0) {
                // what still comes is of no interest
            }
        }

        /** Ends the connection with a reset instead of an orderly close. */
        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        public Socket socket() {
            return socket;
        }
    }

    public RawServer(Script script) {
        this.script = script;
        try {
            this.listener = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                open.add(socket);
                int number = accepted.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket, number));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            script.run(new Peer(socket), number);
        } catch (Exception e) {
            // the script's way to end the connection
        } finally {
            open.remove(socket);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    /** Connections accepted so far. */
    public int accepted() {
        return accepted.get();
    }

    /** Connections open now. */
    public int open() {
        return open.size();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
