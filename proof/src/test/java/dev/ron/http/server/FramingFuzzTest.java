package dev.ron.http.server;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** HTTP/1 framing: one reading of any bytes, however the network cuts them. */
final class FramingFuzzTest {
    private static final HostConfig.HeadLimits LIMITS = HostConfig.DEFAULTS.head();

    @FuzzTest(maxDuration = "60s")
    void head(byte[] bytes) {
        String whole = read(bytes, bytes.length);
        for (int cut = 1; cut < Math.min(bytes.length, 64); cut++) {
            String part = head(Unpooled.wrappedBuffer(bytes, 0, cut));
            if (whole.startsWith("complete") && cut < consumed(whole)) {
                check(part.equals("incomplete"), "a part of a good head is incomplete, not " + part);
            }
        }
    }

    @FuzzTest(maxDuration = "60s")
    void chunks(byte[] bytes) {
        for (int piece : new int[] {1, 2, 7}) {
            check(read(bytes, bytes.length).equals(read(bytes, piece)), "the same body in pieces of " + piece);
        }
    }

    /** A head, then its body, fed in pieces of a size; what came out in words. */
    private static String read(byte[] bytes, int piece) {
        HeadParser parser = new HeadParser(LIMITS);
        ByteBuf in = Unpooled.buffer(Math.max(1, bytes.length));
        BodyFraming body = null;
        String headWords = "incomplete";
        StringBuilder content = new StringBuilder();
        try {
            for (int at = 0; at < bytes.length; at += piece) {
                in.writeBytes(bytes, at, Math.min(piece, bytes.length - at));
                if (body == null) {
                    if (parser.parseHead(in) == HeadParser.Outcome.INCOMPLETE) {
                        continue;
                    }
                    ParsedHead parsed = parser.head();
                    headWords = "complete " + parser.consumed() + " ";
                    in.skipBytes(parser.consumed());
                    body = new BodyFraming(parser, parsed.length());
                }
                drain(body, in, content);
            }
            return headWords + content + (body == null || body.done() ? " done" : " open");
        } catch (RonException refused) {
            return "refused " + refused.code();
        } finally {
            in.release();
        }
    }

    private static void drain(BodyFraming body, ByteBuf in, StringBuilder content) {
        for (ByteBuf next = body.next(in); next != null; next = body.next(in)) {
            content.append(next.toString(StandardCharsets.ISO_8859_1));
            next.release();
        }
    }

    private static String head(ByteBuf in) {
        try {
            HeadParser parser = new HeadParser(LIMITS);
            return parser.parseHead(in) == HeadParser.Outcome.COMPLETE ? "complete" : "incomplete";
        } catch (RonException refused) {
            return "refused " + refused.code();
        }
    }

    private static int consumed(String words) {
        @Nullable String number = words.split(" ", -1)[1];
        return Integer.parseInt(number);
    }

    private static void check(boolean good, String claim) {
        if (!good) {
            throw new AssertionError("not so: " + claim);
        }
    }
}
