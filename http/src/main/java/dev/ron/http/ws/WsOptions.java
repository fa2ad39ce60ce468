package dev.ron.http.ws;

import java.time.Duration;
import java.util.List;

/**
 * Bounds on the WebSocket connections of a route.
 *
 * @param maxFrameBytes the most in one frame
 * @param maxMessageBytes the most in one message, however it is cut into frames
 * @param idle a peer that has said nothing for so long is cut; half of it in, it is pinged
 * @param origins the origins a browser page may connect from; empty allows only callers without one (no browser)
 */
public record WsOptions(int maxFrameBytes, int maxMessageBytes, Duration idle, List<String> origins) {
    public static final WsOptions DEFAULTS = new WsOptions(64 << 10, 256 << 10, Duration.ofSeconds(60), List.of());

    public WsOptions {
        origins = List.copyOf(origins);
    }

    public WsOptions withOrigins(List<String> allowed) {
        return new WsOptions(maxFrameBytes, maxMessageBytes, idle, allowed);
    }
}
