package dev.ron.http.client;

import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponseDecoder;

/** Netty's decoder, told which responses have no body, and asked whether bytes are left behind a response. */
final class ResponseDecoder extends HttpResponseDecoder {
    private boolean bodyless;

    ResponseDecoder(HttpDecoderConfig config) {
        super(config);
    }

    /** Says whether the next response answers a HEAD. */
    void expect(boolean withoutBody) {
        bodyless = withoutBody;
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        return bodyless || super.isContentAlwaysEmpty(message);
    }

    /** True if bytes came that belong to no response. */
    boolean leftOver() {
        return actualReadableBytes() > 0;
    }
}
