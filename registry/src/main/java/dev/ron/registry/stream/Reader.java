package dev.ron.registry.stream;

import dev.ron.http.sse.SseEvent;
import dev.ron.kernel.meter.Meter;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import org.jspecify.annotations.Nullable;

/**
 * One caller: a place in the ring and a way out.
 *
 * <p>It has no buffer of its own. Who resumes may read the whole ring; who has caught up once and then falls too far
 * behind is told what it missed and goes on at the newest.
 */
final class Reader {
    private final Ring ring;
    private final Filter filter;
    private final int patience;
    private final Meter.Count lagged;
    private final Out out;
    private long next;
    private boolean live;

    /** Where events go; all on one event loop. */
    interface Out {
        boolean writable();

        /** False when it was not taken. */
        boolean send(StreamEvent event);

        /** False when it was not taken. */
        boolean say(String event, Json.Obj data);

        void end();
    }

    Reader(Ring ring, Filter filter, long next, int patience, Meter.Count lagged, Out out) {
        this.ring = ring;
        this.filter = filter;
        this.next = next;
        this.patience = patience;
        this.lagged = lagged;
        this.out = out;
    }

    /** Sends what is new, as far as the caller takes it. */
    void pump() {
        while (next <= ring.newest() && out.writable()) {
            long newest = ring.newest();
            @Nullable StreamEvent event = live && newest - next >= patience ? null : ring.at(next);
            if (event == null) {
                if (!dropTo(newest)) {
                    return;
                }
            } else if (filter.wants(event) && !out.send(event)) {
                return;
            } else {
                next++;
            }
        }
        live |= next > ring.newest();
    }

    /** Goes on at the newest, once the caller has taken the word of what it missed. */
    private boolean dropTo(long newest) {
        boolean told = out.say(
                "registry.lagged",
                new ObjWriter()
                        .put("missed_from", next)
                        .put("missed_to", newest - 1)
                        .put("head", newest)
                        .end());
        if (told) {
            lagged.add(newest - next);
            next = newest;
            live = false;
        }
        return told;
    }

    /** Says something that may be lost on a caller who has no room for it. */
    void say(String event, Json.Obj data) {
        boolean _ = out.writable() && out.say(event, data);
    }

    void end() {
        out.end();
    }

    static byte[] sse(String event, Json.Obj data) {
        return new SseEvent("", event, CanonicalJson.text(data)).encode();
    }
}
