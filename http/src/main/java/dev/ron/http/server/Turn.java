package dev.ron.http.server;

import io.netty.buffer.ByteBuf;

/** What a connection waits for; one thing at a time. */
interface Turn {
    long NEVER = Long.MAX_VALUE;

    /** Uses some of what was read; false when it cannot go on with what there is. */
    boolean step(ByteBuf in);

    /** Bytes have come; {@code first} if none were waiting. */
    void received(boolean first, long now);

    /** True while what was read should wait, and no more be read. */
    default boolean holds() {
        return false;
    }

    /** The next moment at which something may be due. */
    long nextMoment(long now);

    /** Does what is due. */
    void check(long now);

    /** The caller will send no more. */
    void inputEnded();

    /** Turns in which nothing is expected of the caller. */
    enum Still implements Turn {
        /** The request was read; its answer is on the way. */
        ANSWER,
        /** Another protocol has taken over. */
        UPGRADED,
        /** The connection is closed. */
        OVER;

        @Override
        public boolean step(ByteBuf in) {
            return false;
        }

        @Override
        public void received(boolean first, long now) {}

        @Override
        public long nextMoment(long now) {
            return NEVER;
        }

        @Override
        public void check(long now) {}

        @Override
        public void inputEnded() {}
    }
}
