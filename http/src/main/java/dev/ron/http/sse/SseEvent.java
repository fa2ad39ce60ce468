package dev.ron.http.sse;

import java.nio.charset.StandardCharsets;

/**
 * One event of a stream.
 *
 * @param id what a caller gives back as Last-Event-ID to go on after this event; empty is left out
 * @param type the event's name; empty stands for {@code message}
 * @param data the payload; may hold several lines
 */
public record SseEvent(String id, String type, String data) {

    public SseEvent {
        if (hasLineEnd(id) || hasLineEnd(type)) {
            throw new IllegalArgumentException("event id and type must be one line each");
        }
    }

    private static boolean hasLineEnd(String text) {
        return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0 || text.indexOf('\0') >= 0;
    }

    public static SseEvent of(String data) {
        return new SseEvent("", "", data);
    }

    /** The event as it goes over the wire. */
    public byte[] encode() {
        StringBuilder text = new StringBuilder(data.length() + 32);
        if (!type.isEmpty()) {
            text.append("event: ").append(type).append('\n');
        }
        if (!id.isEmpty()) {
            text.append("id: ").append(id).append('\n');
        }
        data.lines().forEach(line -> text.append("data: ").append(line).append('\n'));
        if (data.isEmpty()) {
            text.append("data:\n");
        }
        return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }
}
