package dev.ron.proof.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many readers of the stream on one event loop, some of whom never read. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class StreamReadersTest {
    private static final int READERS = 100;
    private static final int SILENT = 10;
    private static final int COMMITS = 12;

    @TempDir
    Path folder;

    // several passes of several slices, commits in the middle of a pass -> each version once, in order, to everyone
    @Test
    void everyReaderHearsEveryCommitOnceAndInOrder() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (RegistryHouse house = new RegistryHouse(folder);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < SILENT; i++) {
                sockets.add(open(house.port()));
            }
            List<Future<List<Long>>> heard = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                Socket socket = open(house.port());
                sockets.add(socket);
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
                awaitHeartbeat(lines);
                heard.add(threads.submit(hears(lines)));
            }
            for (int i = 0; i < COMMITS; i++) {
                house.change(RegistryHouse.put("svc." + i, 0));
            }
            List<Long> all = LongStream.rangeClosed(2, COMMITS + 1).boxed().toList();
            for (Future<List<Long>> one : heard) {
                assertThat(one.get()).isEqualTo(all);
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static Socket open(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream()
                .write("GET /registry/stream HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void awaitHeartbeat(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (!line.equals("event: heartbeat")) {
            line = lines.readLine();
        }
    }

    private static Callable<List<Long>> hears(BufferedReader lines) {
        return () -> {
            List<Long> versions = new ArrayList<>();
            while (versions.size() < COMMITS) {
                String line = lines.readLine();
                if (line == null) {
                    throw new UncheckedIOException(new IOException("the stream ended after " + versions));
                }
                if (line.startsWith("id: ")) {
                    versions.add(Long.parseLong(line.substring(4)));
                }
            }
            return versions;
        };
    }
}
