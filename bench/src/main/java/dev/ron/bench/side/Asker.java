package dev.ron.bench.side;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A load that costs little enough for the server to be what is measured: it reads 64 KiB at a time, as libuv does.
 *
 * <p>A server with a core of its own can be faster than wrk on another: it waits then, and wrk is what is measured. wrk
 * reads 8 KiB at a time, asks how much more there is, and parses the body too. This load parses heads only, and it never
 * sleeps, so that no server spends time on waking it.
 *
 * @param paths what to append to the path of the URL, one after the other, again and again
 * @param fields lines of the request's head
 * @param status of every answer; any other ends the bench
 */
public record Asker(int core, int connections, int seconds, List<String> paths, List<String> fields, int status)
        implements Load {
    private static final int PIECE = 64 << 10;
    private static final int HEAD_MOST = 2048;
    private static final int BARE = 304; // has no body, whatever length it tells
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    public Asker {
        paths = List.copyOf(paths);
        fields = List.copyOf(fields);
    }

    @Override
    public Load lasting(int otherSeconds) {
        return new Asker(core, connections, otherSeconds, paths, fields, status);
    }

    @Override
    public Result run(String url) throws IOException, InterruptedException {
        FutureTask<Result> task = new FutureTask<>(() -> {
            Libc.stayOn(core);
            try (Arena arena = Arena.ofConfined();
                    Round round = new Round(arena, URI.create(url))) {
                return round.run();
            }
        });
        Thread.ofPlatform().name("asker").start(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw new IOException(url, e.getCause());
        }
    }

    private final class Round implements AutoCloseable {
        private final List<MemorySegment> requests = new ArrayList<>();
        private final int[] sockets = new int[connections];
        private final long[] askedAt = new long[connections];
        private final long[] left = new long[connections]; // of the body under way
        private final MemorySegment buffer;
        private final byte[] head = new byte[HEAD_MOST];
        private final Libc.Poll poll;
        private final Latencies latencies = new Latencies();
        private int open;
        private int asked;
        private int answering; // connections with a request under way
        private boolean asking = true;
        private long answers;
        private long idleNanos;

        Round(Arena arena, URI url) throws IOException {
            buffer = arena.allocate(PIECE);
            for (String path : paths) {
                String text = "GET " + url.getRawPath() + path + " HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\n"
                        + String.join(
                                "", fields.stream().map(field -> field + "\r\n").toList()) + "\r\n";
                byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
                requests.add(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes));
            }
            poll = new Libc.Poll(arena, connections);
            while (open < connections) {
                sockets[open] = Libc.connect(url.getPort());
                poll.add(sockets[open], open);
                open++;
            }
        }

        /** The clock runs while every connection is open and has been answered once, and none is being closed. */
        Result run() throws IOException {
            for (int i = 0; i < connections; i++) {
                ask(i, System.nanoTime());
            }
            asking = false;
            readAll();
            asking = true;
            answers = 0;
            latencies.clear();
            long start = System.nanoTime();
            for (int i = 0; i < connections; i++) {
                ask(i, start);
            }
            long end = start + seconds * 1_000_000_000L;
            long now = start;
            idleNanos = 0;
            while (now < end) {
                now = readSome(now);
            }
            double rate = answers * 1e9 / (now - start);
            double idle = (double) idleNanos / (now - start);
            asking = false;
            readAll(); // also those that were slow are in the percentile
            return new Result(rate, latencies.p99Millis(), 0, idle);
        }

        private void readAll() throws IOException {
            long now = System.nanoTime();
            long patience = now + PATIENCE_NANOS;
            while (answering > 0) {
                now = readSome(now);
                if (now > patience) {
                    throw new IOException(answering + " requests were not answered in time");
                }
            }
        }

        /** Takes what has come; the time after that. */
        private long readSome(long before) throws IOException {
            int ready = poll.ready();
            for (int i = 0; i < ready; i++) {
                if (poll.broken(i)) {
                    throw new IOException("a connection was cut");
                }
                read(poll.number(i));
            }
            long now = System.nanoTime();
            if (ready == 0) {
                idleNanos += now - before;
            }
            return now;
        }

        private void ask(int connection, long now) throws IOException {
            MemorySegment request = requests.get(asked);
            asked = (asked + 1) % requests.size();
            askedAt[connection] = now;
            answering++;
            if (Libc.send(sockets[connection], request) != request.byteSize()) {
                throw new IOException("a request was not taken");
            }
        }

        private void read(int connection) throws IOException {
            int got = Libc.receive(sockets[connection], buffer);
            if (got <= 0) {
                throw new IOException("a connection ended");
            }
            left[connection] = left[connection] > 0 ? left[connection] - got : bodyAfter(got);
            if (left[connection] < 0) {
                throw new IOException("more came than was announced");
            }
            if (left[connection] == 0) {
                long now = System.nanoTime();
                latencies.add(now - askedAt[connection]);
                answers++;
                answering--;
                if (asking) {
                    ask(connection, now);
                }
            }
        }

        /** How much of the body is still to come after these first bytes of an answer. */
        private long bodyAfter(int got) throws IOException {
            int seen = Math.min(got, HEAD_MOST);
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, head, 0, seen);
            if (seen < 12 || number(9, 12) != status) {
                throw new IOException("not a " + status + ": " + new String(head, 0, seen, StandardCharsets.US_ASCII));
            }
            long length = status == BARE ? 0 : -1;
            int line = 0;
            for (int i = 0; i < seen; i++) {
                if (head[i] == '\n') {
                    if (i - line == 1) {
                        if (length < 0) {
                            throw new IOException("an answer that does not say its length");
                        }
                        return length - (got - i - 1);
                    }
                    line = i + 1;
                    if (status != BARE && line < seen && (head[line] | 0x20) == 'c' && isLength(line, seen)) {
                        length = number(line + 15, seen);
                    }
                }
            }
            throw new IOException("a head of more than " + HEAD_MOST + " bytes, or in pieces");
        }

        private boolean isLength(int line, int seen) {
            String name = "content-length:";
            if (line + name.length() > seen) {
                return false;
            }
            for (int i = 0; i < name.length(); i++) {
                if ((head[line + i] | 0x20) != (name.charAt(i) | 0x20)) {
                    return false;
                }
            }
            return true;
        }

        private long number(int from, int seen) {
            long value = 0;
            for (int i = from; i < seen && head[i] != '\r'; i++) {
                if (head[i] != ' ') {
                    value = value * 10 + head[i] - '0';
                }
            }
            return value;
        }

        @Override
        public void close() throws IOException {
            while (open > 0) {
                Libc.close(sockets[--open]);
            }
            poll.close();
        }
    }

    /** Counted by the hundredth of a millisecond. */
    private static final class Latencies {
        private static final int NANOS = 10_000;
        private final long[] counts = new long[100_000]; // a second
        private long all;

        void clear() {
            Arrays.fill(counts, 0);
            all = 0;
        }

        void add(long nanos) {
            counts[(int) Math.min(counts.length - 1, nanos / NANOS)]++;
            all++;
        }

        double p99Millis() {
            long rest = all / 100;
            int at = counts.length - 1;
            while (at > 0 && (rest -= counts[at]) >= 0) {
                at--;
            }
            return all == 0 ? Double.NaN : (at + 1) * NANOS / 1e6;
        }
    }
}
