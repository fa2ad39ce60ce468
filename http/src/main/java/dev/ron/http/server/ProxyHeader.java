package dev.ron.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads the line in which a trusted peer says whose connection it passes on (PROXY protocol, version 1 or 2), before
 * anything else; then gives its place up. Such a peer must say it: a connection without it is closed.
 */
final class ProxyHeader extends ByteToMessageDecoder {
    private static final byte[] V2 = {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};
    private static final int V2_HEADER = 16;
    private static final int MAX_V2 = 1024; // addresses and whatever else it wants to tell
    private static final int MAX_V1 = 107;
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;

    private final Caller caller;
    private final HostState host;

    ProxyHeader(Caller caller, HostState host) {
        this.caller = caller;
        this.host = host;
    }

    /** A header that is none. */
    private static final class Bad extends Exception {
        private static final long serialVersionUID = 1L;

        Bad() {
            super("", null, false, false);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        try {
            if (in.getByte(in.readerIndex()) == '\r' ? binary(in) : text(in)) {
                if (caller.address() instanceof InetSocketAddress from
                        && !host.config().front().letsIn(from.getAddress())) {
                    host.refusals().rejected("network");
                    refuse(ctx, in);
                } else {
                    ctx.pipeline().remove(this);
                }
            }
        } catch (Bad _) {
            host.refusals().rejected("proxy_protocol");
            refuse(ctx, in);
        }
    }

    private static void refuse(ChannelHandlerContext ctx, ByteBuf in) {
        in.skipBytes(in.readableBytes());
        ctx.close();
    }

    /** {@code PROXY TCP4 192.0.2.1 192.0.2.2 5000 443}; false when more bytes are needed. */
    private boolean text(ByteBuf in) throws Bad {
        int end = in.indexOf(in.readerIndex(), in.readerIndex() + Math.min(in.readableBytes(), MAX_V1), (byte) '\n');
        if (end < 0) {
            require(in.readableBytes() < MAX_V1);
            return false;
        }
        String line = in.readCharSequence(end + 1 - in.readerIndex(), StandardCharsets.US_ASCII)
                .toString();
        require(line.endsWith("\r\n"));
        String[] words = line.substring(0, line.length() - 2).split(" ", -1);
        require(words.length >= 2 && words[0].equals("PROXY"));
        if (words[1].equals("UNKNOWN")) {
            return true; // its own health check, say
        }
        require(words.length == 6 && (words[1].equals("TCP4") || words[1].equals("TCP6")));
        byte[] address = NetUtil.createByteArrayFromIpAddressString(words[2]);
        require(address != null && address.length == (words[1].equals("TCP4") ? 4 : 16));
        caller.isReally(at(address, port(words[4])));
        return true;
    }

    private static int port(String digits) throws Bad {
        require(digits.matches("[0-9]{1,5}") && Integer.parseInt(digits) <= 65_535);
        return Integer.parseInt(digits);
    }

    private boolean binary(ByteBuf in) throws Bad {
        for (int i = 0; i < Math.min(V2.length, in.readableBytes()); i++) {
            require(in.getByte(in.readerIndex() + i) == V2[i]);
        }
        if (in.readableBytes() < V2_HEADER) {
            return false;
        }
        int command = in.getByte(in.readerIndex() + 12) & 0xFF;
        int family = in.getByte(in.readerIndex() + 13) & 0xFF;
        int length = in.getUnsignedShort(in.readerIndex() + 14);
        require((command == 0x20 || command == 0x21) && length <= MAX_V2);
        if (in.readableBytes() < V2_HEADER + length) {
            return false;
        }
        in.skipBytes(V2_HEADER);
        ByteBuf rest = in.readSlice(length);
        if (command == 0x21 && (family == TCP4 || family == TCP6)) {
            int size = family == TCP4 ? 4 : 16;
            require(length >= 2 * size + 4);
            byte[] address = new byte[size];
            rest.readBytes(address).skipBytes(size);
            caller.isReally(at(address, rest.readUnsignedShort()));
        }
        return true;
    }

    private static InetSocketAddress at(byte[] address, int port) throws Bad {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException wrongLength) {
            throw new Bad();
        }
    }

    private static void require(boolean good) throws Bad {
        if (!good) {
            throw new Bad();
        }
    }
}
