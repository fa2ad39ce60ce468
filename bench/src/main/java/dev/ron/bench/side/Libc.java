package dev.ron.bench.side;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;

/** The calls of Linux that a load makes which is to cost little, and which stays on one core. */
final class Libc {
    private static final int NOT_WAITING = 0x40; // MSG_DONTWAIT
    private static final int READABLE = 0x001; // EPOLLIN
    private static final int BROKEN = 0x008 | 0x010; // EPOLLERR, EPOLLHUP

    // The kernel packs epoll_event on this one architecture only.
    private static final boolean PACKED = "amd64".equals(System.getProperty("os.arch"));
    private static final long EVENT_DATA = PACKED ? 4 : 8;
    private static final long EVENT_BYTES = EVENT_DATA + 8;
    private static final ValueLayout.OfShort NETWORK_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt NETWORK_INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final short INET = 2;
    private static final int STREAM = 1;
    private static final int TCP = 6;
    private static final int TCP_NODELAY = 1;
    private static final int LOOPBACK = 0x7F000001;
    private static final int ADD = 1; // EPOLL_CTL_ADD

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final MethodHandle SOCKET = call("socket", INT, INT, INT, INT);
    private static final MethodHandle CONNECT = call("connect", INT, INT, ValueLayout.ADDRESS, INT);
    private static final MethodHandle SETSOCKOPT = call("setsockopt", INT, INT, INT, INT, ValueLayout.ADDRESS, INT);
    private static final MethodHandle SEND = call("send", LONG, INT, ValueLayout.ADDRESS, LONG, INT);
    private static final MethodHandle RECV = call("recv", LONG, INT, ValueLayout.ADDRESS, LONG, INT);
    private static final MethodHandle EPOLL_CREATE = call("epoll_create1", INT, INT);
    private static final MethodHandle EPOLL_CTL = call("epoll_ctl", INT, INT, INT, INT, ValueLayout.ADDRESS);
    private static final MethodHandle EPOLL_WAIT = call("epoll_wait", INT, INT, ValueLayout.ADDRESS, INT, INT);
    private static final MethodHandle CLOSE = call("close", INT, INT);
    private static final MethodHandle SET_AFFINITY = call("sched_setaffinity", INT, INT, LONG, ValueLayout.ADDRESS);

    private Libc() {}

    @SuppressWarnings("restricted") // these are the calls of a bench, and no product has them
    private static MethodHandle call(String name, MemoryLayout result, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    /** Keeps the calling thread on one core. */
    static void stayOn(int core) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(128);
            set.setAtIndex(ValueLayout.JAVA_LONG, core / 64, 1L << core % 64);
            require((int) SET_AFFINITY.invokeExact(0, set.byteSize(), set), "sched_setaffinity");
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** A connection to a port of this machine. */
    static int connect(int port) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int socket = require((int) SOCKET.invokeExact((int) INET, STREAM, 0), "socket");
            MemorySegment address = arena.allocate(16);
            address.set(ValueLayout.JAVA_SHORT, 0, INET);
            address.set(NETWORK_SHORT, 2, (short) port);
            address.set(NETWORK_INT, 4, LOOPBACK);
            require((int) CONNECT.invokeExact(socket, address, (int) address.byteSize()), "connect");
            MemorySegment yes = arena.allocateFrom(INT, 1);
            require((int) SETSOCKOPT.invokeExact(socket, TCP, TCP_NODELAY, yes, 4), "setsockopt");
            return socket;
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    static long send(int socket, MemorySegment bytes) throws IOException {
        try {
            return (long) SEND.invokeExact(socket, bytes, bytes.byteSize(), NOT_WAITING);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** How many bytes came, of no more than there is room for; negative if none are there. */
    static int receive(int socket, MemorySegment into) throws IOException {
        try {
            return (int) (long) RECV.invokeExact(socket, into, into.byteSize(), NOT_WAITING);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    static void close(int file) throws IOException {
        try {
            require((int) CLOSE.invokeExact(file), "close");
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    /** Tells which of many sockets have something to read; never sleeps. */
    static final class Poll implements AutoCloseable {
        private final int poll;
        private final MemorySegment events;
        private final int most;

        Poll(Arena arena, int most) throws IOException {
            this.most = most;
            this.events = arena.allocate(EVENT_BYTES * most, 8);
            try {
                poll = require((int) EPOLL_CREATE.invokeExact(0), "epoll_create1");
            } catch (Throwable e) {
                throw failed(e);
            }
        }

        void add(int socket, int number) throws IOException {
            events.set(ValueLayout.JAVA_INT_UNALIGNED, 0, READABLE);
            events.set(ValueLayout.JAVA_LONG_UNALIGNED, EVENT_DATA, number);
            try {
                require((int) EPOLL_CTL.invokeExact(poll, ADD, socket, events), "epoll_ctl");
            } catch (Throwable e) {
                throw failed(e);
            }
        }

        /** How many are ready now; {@link #number} and {@link #broken} tell of each. */
        int ready() throws IOException {
            try {
                return Math.max(0, (int) EPOLL_WAIT.invokeExact(poll, events, most, 0)); // a signal is no event
            } catch (Throwable e) {
                throw failed(e);
            }
        }

        int number(int at) {
            return (int) events.get(ValueLayout.JAVA_LONG_UNALIGNED, at * EVENT_BYTES + EVENT_DATA);
        }

        boolean broken(int at) {
            return (events.get(ValueLayout.JAVA_INT_UNALIGNED, at * EVENT_BYTES) & BROKEN) != 0;
        }

        @Override
        public void close() throws IOException {
            Libc.close(poll);
        }
    }

    private static int require(int result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + " failed");
        }
        return result;
    }

    private static IOException failed(Throwable e) {
        return e instanceof IOException known ? known : new IOException(e);
    }
}
