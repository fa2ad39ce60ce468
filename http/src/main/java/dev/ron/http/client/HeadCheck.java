package dev.ron.http.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Looks at the bytes of a response head before the decoder, which mends what should be refused: folded lines, space
 * before the colon, bare line ends, control characters. It reads only heads; bodies pass unseen.
 */
final class HeadCheck extends ChannelInboundHandlerAdapter {
    private static final int STATUS_AT = 9; // "HTTP/1.1 200"

    private boolean active;
    private int line; // 0 is the status line
    private int column;
    private boolean inName;
    private boolean sawCr;
    private int statusClass;

    /** A head that was refused. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refused() {
            super("response head is not strict HTTP/1.1", null, false, false);
        }
    }

    /** A response is expected from here on. */
    void expect() {
        active = true;
        line = 0;
        column = 0;
        sawCr = false;
        inName = false;
        statusClass = 0;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (active && !strict((ByteBuf) message)) {
            active = false;
            ((ByteBuf) message).release();
            context.fireExceptionCaught(new Refused());
            return;
        }
        context.fireChannelRead(message);
    }

    private boolean strict(ByteBuf bytes) {
        for (int i = bytes.readerIndex(); i < bytes.writerIndex() && active; i++) {
            if (!take(bytes.getByte(i) & 0xFF)) {
                return false;
            }
        }
        return true;
    }

    private boolean take(int b) {
        if (sawCr) {
            sawCr = false;
            return b == '\n' && endOfLine();
        }
        if (b == '\r') {
            sawCr = true;
            return !inName || column == 0;
        }
        if ((b < 0x20 && b != '\t') || b == 0x7F) {
            return false;
        }
        if (line == 0 && column == STATUS_AT) {
            statusClass = b - '0';
        }
        if (line > 0 && column == 0) {
            inName = true;
        }
        column++;
        if (inName) {
            inName = b != ':';
            return b != ' ' && b != '\t' && b < 0x80;
        }
        return true;
    }

    private boolean endOfLine() {
        boolean empty = column == 0;
        inName = false;
        column = 0;
        if (!empty) {
            line++;
        } else if (line == 0) {
            return false;
        } else if (statusClass == 1) {
            expect(); // an interim response: the head of the real one follows
        } else {
            active = false;
        }
        return true;
    }
}
