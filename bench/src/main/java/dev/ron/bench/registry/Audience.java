package dev.ron.bench.registry;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Readers of the stream, in a process of their own that gives way to everybody: what they cost must not be taken for what
 * the registry costs.
 *
 * <p>One thread and one selector; it only counts. It says {@code ready} once every reader has heard something, and how many
 * commits were heard when its input ends.
 */
public final class Audience implements AutoCloseable {
    // In between it sleeps: a reader elsewhere on the network would not take this machine's time for each event either.
    private static final long LOOKS_EVERY_MS = 4;
    private static final byte[] NEWS = "registry.update".getBytes(StandardCharsets.US_ASCII);

    private final Process process;
    private final BufferedReader said;

    private Audience(Process process, BufferedReader said) {
        this.process = process;
        this.said = said;
    }

    /** Comes back once all are listening. */
    static Audience gather(int port, int count) throws IOException {
        List<String> command = new ArrayList<>(List.of("nice", "-n", "19"));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Audience.class.getName(),
                Integer.toString(port),
                Integer.toString(count)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Audience audience = new Audience(
                process, new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
        if (!"ready".equals(audience.said.readLine())) {
            throw new IOException("the readers of the stream could not be seated");
        }
        return audience;
    }

    /** Sends them home; how often one of them has heard of a commit. */
    long leave() throws IOException {
        process.getOutputStream().close();
        String heard = said.readLine();
        if (heard == null) {
            throw new IOException("the readers of the stream are gone");
        }
        return Long.parseLong(heard);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** One reader: how much of the word it looks for it has seen, over the border of two reads. */
    private static final class Ear {
        private int matched;
        private boolean awake;

        int hear(ByteBuffer bytes) {
            int heard = 0;
            while (bytes.hasRemaining()) {
                byte next = bytes.get();
                matched = next == NEWS[matched] ? matched + 1 : next == NEWS[0] ? 1 : 0;
                if (matched == NEWS.length) {
                    heard++;
                    matched = 0;
                }
            }
            return heard;
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int count = Integer.parseInt(args[1]);
        byte[] ask = "GET /registry/stream HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII);
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < count; i++) {
                SocketChannel channel = SocketChannel.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])));
                channel.write(ByteBuffer.wrap(ask));
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, new Ear());
            }
            AtomicBoolean leaving = new AtomicBoolean();
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    System.in.transferTo(OutputStream.nullOutputStream());
                } catch (IOException gone) {
                    // Whoever started us is gone, which is an end as well.
                }
                leaving.set(true);
            });
            listen(new Listening(count), selector, leaving);
        }
    }

    private static void listen(Listening listening, Selector selector, AtomicBoolean leaving)
            throws IOException, InterruptedException {
        // At the end once more, and until there was nothing for a while.
        for (boolean more = true; more; ) {
            boolean last = leaving.get();
            int ready = selector.select(listening::read, 500);
            more = !last || ready > 0;
            Thread.sleep(LOOKS_EVERY_MS);
        }
        System.out.println(listening.heard);
    }

    /** All ears together. */
    private static final class Listening {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(16 << 10);
        private final int count;
        private int awake;
        private long heard;

        Listening(int count) {
            this.count = count;
        }

        void read(SelectionKey key) {
            Ear ear = (Ear) key.attachment();
            try {
                if (((SocketChannel) key.channel()).read(buffer.clear()) < 0) {
                    throw new IOException("a reader was sent away");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            heard += ear.hear(buffer.flip());
            if (!ear.awake) {
                ear.awake = true;
                awake++;
                if (awake == count) {
                    System.out.println("ready");
                }
            }
        }
    }
}
