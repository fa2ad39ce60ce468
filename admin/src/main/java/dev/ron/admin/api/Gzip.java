package dev.ron.admin.api;

import dev.ron.http.message.RequestHead;
import dev.ron.http.message.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Makes documents small for those who can read that: lists of nodes and points shrink to a tenth. */
final class Gzip {
    private static final int WORTH_IT = 1024;

    private Gzip() {}

    /** The answer, compressed where it is JSON of some size and the caller takes gzip. */
    static Response where(Response response, RequestHead request) {
        boolean json = response.headers().first("Content-Type").orElse("").startsWith("application/json");
        boolean coded = response.headers().first("Content-Encoding").isPresent();
        if (!json || coded || response.body().length < WORTH_IT) {
            return response;
        }
        Response varied = response.withHeader("Vary", "Accept-Encoding");
        boolean taken = request.headers().all("Accept-Encoding").stream().anyMatch(Gzip::takesGzip);
        return taken
                ? Response.of(varied.status(), varied.headers(), compressed(varied.body()))
                        .withHeader("Content-Encoding", "gzip")
                : varied;
    }

    private static boolean takesGzip(String field) {
        for (String one : field.split(",", -1)) {
            String[] parts = one.strip().split(";", -1);
            boolean refused = parts.length > 1 && parts[1].strip().matches("q=0(\\.0*)?");
            if (parts[0].strip().equalsIgnoreCase("gzip") && !refused) {
                return true;
            }
        }
        return false;
    }

    private static byte[] compressed(byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 4);
        try (GZIPOutputStream gzip = new Fast(out)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail so
        }
        return out.toByteArray();
    }

    /** Speed before size: the last tenth of size costs most of the time. */
    private static final class Fast extends GZIPOutputStream {
        Fast(ByteArrayOutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
