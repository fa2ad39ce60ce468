package dev.ron.http.decode;

import java.util.zip.CRC32;

/** Reads the head of a gzip member (RFC 1952) byte by byte, keeping nothing of it. */
final class GzipHeader {
    private static final int FHCRC = 2;
    private static final int FEXTRA = 4;
    private static final int FNAME = 8;
    private static final int FCOMMENT = 16;
    private static final int RESERVED = 0xE0;
    private static final int FIXED = 10;

    private final CRC32 crc = new CRC32();
    private State state = State.FIXED_PART;
    private int seen; // bytes of the current part
    private int flags;
    private int value; // extra length, or the check sum in the head

    private enum State {
        FIXED_PART,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        CHECK,
        DONE
    }

    /** True if not one byte of a head has been seen. */
    boolean untouched() {
        return state == State.FIXED_PART && seen == 0;
    }

    /** Takes one byte; true when the head is whole. */
    boolean take(int b) {
        if (state != State.CHECK) {
            crc.update(b);
        }
        switch (state) {
            case FIXED_PART -> fixed(b);
            case EXTRA_LENGTH -> {
                value |= b << (8 * seen++);
                if (seen == 2) {
                    enter(value == 0 ? State.NAME : State.EXTRA);
                }
            }
            case EXTRA -> {
                if (++seen == value) {
                    enter(State.NAME);
                }
            }
            case NAME -> enterIf(b == 0, State.COMMENT);
            case COMMENT -> enterIf(b == 0, State.CHECK);
            case CHECK -> check(b);
            case DONE -> throw new IllegalStateException("head is whole");
        }
        return state == State.DONE;
    }

    private void fixed(int b) {
        boolean good = switch (seen) {
            case 0 -> b == 0x1F;
            case 1 -> b == 0x8B;
            case 2 -> b == 8;
            case 3 -> (b & RESERVED) == 0;
            default -> true;
        };
        if (!good) {
            throw DecodeFailure.malformed("not a gzip stream, or bytes after its end");
        }
        if (seen == 3) {
            flags = b;
        }
        if (++seen == FIXED) {
            enter(State.EXTRA_LENGTH);
        }
    }

    private void check(int b) {
        value |= b << (8 * seen++);
        if (seen == 2) {
            if (value != (int) (crc.getValue() & 0xFFFF)) {
                throw DecodeFailure.malformed("gzip head is damaged");
            }
            enter(State.DONE);
        }
    }

    private void enterIf(boolean now, State next) {
        if (now) {
            enter(next);
        }
    }

    /** Goes to a part, or past it where the flags say that it is absent. */
    private void enter(State next) {
        boolean keepsLength = next == State.EXTRA;
        seen = 0;
        value = keepsLength ? value : 0;
        state = next;
        switch (next) {
            case EXTRA_LENGTH -> skipUnless(FEXTRA, State.NAME);
            case NAME -> skipUnless(FNAME, State.COMMENT);
            case COMMENT -> skipUnless(FCOMMENT, State.CHECK);
            case CHECK -> skipUnless(FHCRC, State.DONE);
            case FIXED_PART, EXTRA, DONE -> {}
        }
    }

    private void skipUnless(int flag, State next) {
        if ((flags & flag) == 0) {
            enter(next);
        }
    }
}
