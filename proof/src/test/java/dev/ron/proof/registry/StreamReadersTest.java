package dev.ron.proof.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Op;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
    private static final int LARGE_COMMITS = 60;

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

    // a reader stops reading until its connection takes no more | commits go on | it reads again
    //   -> each version once and in order, or named among those it missed; and the newest at last
    @Test
    void whoDoesNotReadIsToldWhatItMissed() throws Exception {
        try (RegistryHouse house =
                        new RegistryHouse(folder, "registry.stream.client_buffer=4", "registry.write_timeout=2m");
                Socket slow = new Socket()) {
            slow.setReceiveBufferSize(4096);
            slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), house.port()));
            ask(slow);
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(slow.getInputStream(), StandardCharsets.US_ASCII));
            awaitHeartbeat(lines);
            for (int rev = 0; rev < LARGE_COMMITS; rev++) {
                house.change(large(rev));
            }
            List<Long> accounted = new ArrayList<>();
            boolean lagged = false;
            while (accounted.isEmpty() || accounted.getLast() < LARGE_COMMITS + 1) {
                String line = lines.readLine();
                if (line.equals("event: registry.lagged")) {
                    lagged = true;
                    String data = lines.readLine();
                    LongStream.rangeClosed(number(data, "missed_from"), number(data, "missed_to"))
                            .forEach(accounted::add);
                } else if (line.startsWith("id: ")) {
                    accounted.add(Long.parseLong(line.substring(4)));
                }
            }
            assertThat(accounted)
                    .isEqualTo(
                            LongStream.rangeClosed(2, LARGE_COMMITS + 1).boxed().toList());
            assertThat(lagged).as("its connection was full").isTrue();
        }
    }

    private static long number(String json, String name) {
        return Long.parseLong(json.replaceAll(".*\"" + name + "\":(\\d+).*", "$1"));
    }

    /** A commit whose news is large: it names the kind of everything that it touches. */
    private static ChangeSet large(int rev) {
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            String kind = "x".repeat(50) + i;
            ops.add(new Op.Put(
                    "large." + i,
                    rev,
                    Draft.of(kind, new ObjWriter().put("n", rev).end())));
        }
        return ChangeSet.of(new Body.Change(ops));
    }

    private static Socket open(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        ask(socket);
        return socket;
    }

    private static void ask(Socket socket) throws IOException {
        socket.getOutputStream()
                .write("GET /registry/stream HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
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
