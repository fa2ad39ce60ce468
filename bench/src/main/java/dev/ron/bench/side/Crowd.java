package dev.ron.bench.side;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Many kept connections, for what they cost the other side. */
public final class Crowd implements AutoCloseable {
    private final List<Wire> wires = new ArrayList<>();

    public Crowd(int port, int size) throws IOException {
        for (int i = 0; i < size; i++) {
            wires.add(new Wire(port));
        }
    }

    /** Each asks once and is answered. */
    public void ask(String path) throws IOException {
        for (Wire wire : wires) {
            int status = wire.get(path).status();
            if (status != 200) {
                throw new IOException(path + " was answered with " + status);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Wire wire : wires) {
            wire.close();
        }
    }
}
