package dev.ron.http.client;

import java.nio.ByteBuffer;

/** Reads a body piece by piece on the connection's loop; it must neither wait nor keep the buffer. */
@FunctionalInterface
public interface PieceReader {
    void read(ByteBuffer piece);
}
