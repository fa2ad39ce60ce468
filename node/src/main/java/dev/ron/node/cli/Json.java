package dev.ron.node.cli;

import dev.ron.http.json.StrictJson;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** JSON on standard output, for scripts. */
final class Json {
    private static final StrictJson JSON = new StrictJson();

    private Json() {}

    static void print(PrintWriter out, Object value) {
        out.println(new String(JSON.write(value), StandardCharsets.UTF_8));
    }
}
