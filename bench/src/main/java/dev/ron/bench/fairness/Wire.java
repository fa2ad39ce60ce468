package dev.ron.bench.fairness;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;

/** One connection that sends whole requests and reads answers of a known length; on its loop only. */
final class Wire extends ChannelInboundHandlerAdapter {
    /** The connection ended before the answer did. */
    static final int LOST = 0;

    private static final int HEAD_LIMIT = 16 << 10;

    private final StringBuilder head = new StringBuilder(512);
    private final Channel channel;
    private IntConsumer answered = status -> {};
    private byte[] pending = {}; // until connected
    private boolean waiting;
    private boolean inBody;
    private long bodyLeft;
    private int status;

    private Wire(Class<? extends Channel> type, EventLoop loop, int port) {
        channel = new Bootstrap()
                .group(loop)
                .channel(type)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_RCVBUF, 64 << 10)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel made) {
                        made.pipeline().addLast(Wire.this);
                    }
                })
                .connect("127.0.0.1", port)
                .channel();
    }

    static Wire open(Class<? extends Channel> type, EventLoop loop, int port) {
        return new Wire(type, loop, port);
    }

    /** Sends a request once connected; {@code whenAnswered} hears its status, or {@link #LOST}. */
    void send(byte[] request, IntConsumer whenAnswered) {
        answered = whenAnswered;
        waiting = true;
        head.setLength(0);
        inBody = false;
        if (channel.isActive()) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(request));
        } else {
            pending = request;
        }
    }

    /** Sends bytes that belong to a request begun before. */
    void more(byte[] bytes) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(bytes));
    }

    void readOnDemand() {
        channel.config().setAutoRead(false);
    }

    void readOnce() {
        channel.read();
    }

    boolean open() {
        return channel.isOpen();
    }

    void close() {
        channel.close();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (pending.length > 0) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(pending));
            pending = new byte[0];
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            while (bytes.isReadable() && waiting) {
                if (inBody) {
                    int take = (int) Math.min(bodyLeft, bytes.readableBytes());
                    bytes.skipBytes(take);
                    bodyLeft -= take;
                    finishIfDone();
                } else {
                    readHead(bytes);
                }
            }
        } finally {
            bytes.release();
        }
    }

    private void readHead(ByteBuf bytes) {
        while (bytes.isReadable()) {
            head.append((char) bytes.readByte());
            int length = head.length();
            if (length > HEAD_LIMIT) {
                channel.close();
                return;
            }
            if (length > 3
                    && head.charAt(length - 1) == '\n'
                    && head.substring(length - 4).equals("\r\n\r\n")) {
                status = Integer.parseInt(head.substring(9, 12));
                bodyLeft = length(head.toString());
                inBody = true;
                finishIfDone();
                return;
            }
        }
    }

    private static long length(String text) {
        String lower = text.toLowerCase(java.util.Locale.ROOT);
        int at = lower.indexOf("\r\ncontent-length:");
        if (at < 0) {
            return Long.MAX_VALUE; // an event stream: it never ends
        }
        int from = at + "\r\ncontent-length:".length();
        return Long.parseLong(lower.substring(from, lower.indexOf('\r', from)).strip());
    }

    private void finishIfDone() {
        if (bodyLeft == 0) {
            waiting = false;
            answered.accept(status);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        lost();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        channel.close();
        lost();
    }

    private void lost() {
        if (waiting) {
            waiting = false;
            answered.accept(LOST);
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
