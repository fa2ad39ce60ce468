package dev.ron.bench.fairness;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sends at a fixed rate whatever the answers do, and times each from the moment it was due.
 *
 * <p>A tool that waits for an answer before it sends the next leaves out exactly the requests that would have waited.
 */
final class Paced {
    private final Class<? extends Channel> type;
    private final EventLoop loop;
    private final int port;
    private final byte[] request;
    private final ArrayDeque<Wire> idle = new ArrayDeque<>();
    private final List<Long> micros = new ArrayList<>();
    private int refused;
    private int open;

    /** The outcome: times in microseconds, sorted, and how many got another answer than 200. */
    record Result(List<Long> micros, int refused) {
        double millis(double part) {
            if (micros.isEmpty()) {
                return Double.NaN;
            }
            int at = Math.min(micros.size() - 1, (int) Math.ceil(part * micros.size()) - 1);
            return micros.get(Math.max(0, at)) / 1e3;
        }
    }

    Paced(Class<? extends Channel> type, EventLoop loop, int port, byte[] request) {
        this.type = type;
        this.loop = loop;
        this.port = port;
        this.request = request;
    }

    /** Sends for so long; what is due in the first {@code warm} seconds is not counted. Waits for the last answer. */
    Result run(int perSecond, double warm, double seconds) {
        CompletableFuture<Result> done = new CompletableFuture<>();
        long interval = 1_000_000_000L / perSecond;
        long start = System.nanoTime() + 10_000_000;
        long counted = start + (long) (warm * 1e9);
        long end = counted + (long) (seconds * 1e9);
        loop.execute(() -> due(start, interval, counted, end, done));
        return done.join();
    }

    private void due(long at, long interval, long counted, long end, CompletableFuture<Result> done) {
        if (at >= end) {
            finish(done, end + 10_000_000_000L);
            return;
        }
        long wait = at - System.nanoTime();
        if (wait > 0) {
            loop.schedule(() -> due(at, interval, counted, end, done), wait, TimeUnit.NANOSECONDS);
            return;
        }
        send(at, counted);
        due(at + interval, interval, counted, end, done);
    }

    private void send(long due, long counted) {
        Wire wire = idle.poll();
        while (wire != null && !wire.open()) {
            wire = idle.poll();
        }
        Wire used = wire == null ? Wire.open(type, loop, port) : wire;
        open++;
        used.send(request, status -> {
            open--;
            if (due >= counted) {
                micros.add((System.nanoTime() - due) / 1_000);
                refused += status == 200 ? 0 : 1;
            }
            if (status != Wire.LOST) {
                idle.add(used);
            }
        });
    }

    private void finish(CompletableFuture<Result> done, long latest) {
        if (open > 0 && System.nanoTime() < latest) {
            loop.schedule(() -> finish(done, latest), 20, TimeUnit.MILLISECONDS);
            return;
        }
        refused += open; // never answered
        idle.forEach(Wire::close);
        Collections.sort(micros);
        done.complete(new Result(micros, refused));
    }
}
