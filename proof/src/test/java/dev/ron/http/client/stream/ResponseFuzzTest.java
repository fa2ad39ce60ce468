package dev.ron.http.client.stream;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What an upstream answers: one reading of any bytes, however the network cuts them. */
final class ResponseFuzzTest {

    @FuzzTest(maxDuration = "60s")
    void response(byte[] bytes) {
        String whole = read(bytes, Math.max(1, bytes.length));
        for (int piece : new int[] {1, 3, 16}) {
            String cut = read(bytes, piece);
            if (!whole.equals(cut)) {
                throw new AssertionError("read as " + whole + ", in pieces of " + piece + " as " + cut);
            }
        }
    }

    /** A head and its body, fed in pieces of a size; what came out in words. */
    private static String read(byte[] bytes, int piece) {
        ResponseHeadParser parser = new ResponseHeadParser(64 << 10, 200);
        ByteBuf in = Unpooled.buffer(Math.max(1, bytes.length));
        StringBuilder content = new StringBuilder();
        @Nullable ResponseFraming body = null;
        try {
            for (int at = 0; at < bytes.length && (body == null || !body.done()); at += piece) {
                in.writeBytes(bytes, at, Math.min(piece, bytes.length - at));
                if (body == null) {
                    if (!parser.parse(in)) {
                        continue;
                    }
                    content.append(parser.status()).append(' ');
                    body = new ResponseFraming(
                            parser, Math.max(200, parser.status()), parser.http10(), parser.headers(), false);
                }
                for (ByteBuf next = body.next(in); next != null; next = body.next(in)) {
                    content.append(next.toString(StandardCharsets.ISO_8859_1));
                    next.release();
                }
            }
            return content + (body == null ? "no head" : body.done() ? " done" : " open");
        } catch (BadResponse refused) {
            return "refused";
        } finally {
            in.release();
        }
    }
}
