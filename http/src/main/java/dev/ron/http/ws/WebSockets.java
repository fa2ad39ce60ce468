package dev.ron.http.ws;

import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.handler.codec.http.websocketx.Utf8FrameValidator;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.function.Function;

/** Opens WebSocket connections (RFC 6455, version 13, no extensions) on a route of a host. */
public final class WebSockets {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int KEY_BYTES = 16;

    private WebSockets() {}

    /** A handler for GET; {@code listeners} makes one listener per connection. */
    public static StreamHandler handler(WsOptions options, Function<Exchange, WsListener> listeners) {
        return exchange -> open(exchange, options, listeners);
    }

    private static void open(Exchange exchange, WsOptions options, Function<Exchange, WsListener> listeners) {
        String key = checked(exchange.headers(), options);
        WebSocketDecoderConfig decoding = WebSocketDecoderConfig.newBuilder()
                .expectMaskedFrames(true)
                .allowMaskMismatch(false)
                .allowExtensions(false)
                .maxFramePayloadLength(options.maxFrameBytes())
                .closeOnProtocolViolation(true)
                .withUTF8Validator(true)
                .build();
        WsConnection connection = new WsConnection(exchange, options, listeners.apply(exchange));
        exchange.upgrade(
                Headers.of("Upgrade", "websocket", "Connection", "Upgrade", "Sec-WebSocket-Accept", accept(key)),
                new WebSocket13FrameEncoder(false), // first: the decoder says why it closes through it
                new WebSocket13FrameDecoder(decoding),
                new Utf8FrameValidator(),
                new WebSocketFrameAggregator(options.maxMessageBytes()),
                connection);
    }

    /** The key of a well-formed handshake; anything else is a bad request. */
    private static String checked(Headers headers, WsOptions options) {
        require(headers.hasToken("Connection", "upgrade"), "Connection: Upgrade");
        require(headers.hasToken("Upgrade", "websocket"), "Upgrade: websocket");
        require(headers.first("Sec-WebSocket-Version").filter("13"::equals).isPresent(), "Sec-WebSocket-Version: 13");
        headers.first("Origin").ifPresent(origin -> {
            if (!options.origins().contains(origin)) {
                throw new RonException(Code.FORBIDDEN, "origin", "this origin may not connect");
            }
        });
        String key = headers.first("Sec-WebSocket-Key").orElse("");
        require(headers.all("Sec-WebSocket-Key").size() == 1 && isKey(key), "one Sec-WebSocket-Key");
        return key;
    }

    private static boolean isKey(String key) {
        try {
            return Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private static void require(boolean good, String expected) {
        if (!good) {
            throw new RonException(
                    Code.BAD_REQUEST, "websocket", "not a WebSocket handshake (expected: " + expected + ")");
        }
    }

    private static String accept(String key) {
        try {
            MessageDigest sha1 =
                    MessageDigest.getInstance("SHA-1"); // the protocol's choice; nothing secret depends on it
            return Base64.getEncoder().encodeToString(sha1.digest((key + GUID).getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
