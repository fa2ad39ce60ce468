package dev.ron.http.server;

import io.netty.buffer.ByteBuf;

/**
 * Follows the frames of an HTTP/2 connection by their first nine bytes, beside the codec, to know whether a caller has
 * stopped in the middle of something. The codec tells only of what is complete.
 */
final class FrameTrack {
    private static final int PREFACE = 24;
    private static final int HEADER = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int CONTINUATION = 9;
    private static final int END_HEADERS = 4;

    private final byte[] header = new byte[HEADER];
    private int have;
    private int skip = PREFACE; // what is left of the frame in hand
    private int type = -1;
    private boolean headOpen;
    private long complete;

    /** Looks at bytes that the codec is about to get. */
    void see(ByteBuf in) {
        int at = in.readerIndex();
        int end = in.writerIndex();
        while (at < end) {
            if (skip > 0) {
                int step = Math.min(skip, end - at);
                skip -= step;
                at += step;
            } else {
                header[have++] = in.getByte(at++);
                if (have == HEADER) {
                    have = 0;
                    begin();
                }
            }
            if (skip == 0 && have == 0 && !headOpen) {
                complete++;
            }
        }
    }

    private void begin() {
        skip = (header[0] & 0xFF) << 16 | (header[1] & 0xFF) << 8 | (header[2] & 0xFF);
        type = header[3];
        if (type == HEADERS || type == CONTINUATION) {
            headOpen = (header[4] & END_HEADERS) == 0;
        }
    }

    /** Whether a frame or a head has begun and is not complete; a body has its own limits. */
    boolean midway() {
        return headOpen || have > 0 || (skip > 0 && type != DATA);
    }

    /** Changes whenever something is complete. */
    long complete() {
        return complete;
    }
}
