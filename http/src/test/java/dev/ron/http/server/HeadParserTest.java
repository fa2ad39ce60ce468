package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What we take as a request, Netty's decoder, attacked for many years, must read in the same way. */
class HeadParserTest {
    private final HeadParser parser = new HeadParser(HostConfig.DEFAULTS.head());

    /** What one side made of some bytes. */
    private record Reading(String method, String target, List<String> fields, String body, int rest) {}

    @Provide
    Arbitrary<String> requests() {
        Arbitrary<String> piece = Arbitraries.of(
                "GET",
                "POST",
                " ",
                "/",
                "/a?b",
                "*",
                "HTTP/1.1",
                "HTTP/1.0",
                "HTTP/1.2",
                "\r\n",
                "\n",
                "\r",
                "Host",
                ":",
                ": ",
                "x",
                "Content-Length",
                "5",
                "+5",
                "0",
                "Transfer-Encoding",
                "chunked",
                "gzip, ",
                "\t",
                "\0",
                "hello",
                "5\r\nhello\r\n",
                "0\r\n\r\n",
                ";e",
                "A",
                "\u00e9",
                "Host: x\r\n",
                "\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\n",
                "Content-Length: 5\r\n\r\nhello",
                "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        return piece.list().ofMinSize(1).ofMaxSize(12).map(parts -> String.join("", parts));
    }

    @Property(tries = 5000)
    void whateverIsAcceptedIsReadAsNettyReadsIt(@ForAll("requests") String text) {
        Reading ours = read(text);
        if (ours != null) {
            assertThat(ours).as(text).isEqualTo(nettys(text, ours.rest()));
        }
    }

    /** The first request of the bytes; null where it is refused or not all there. */
    private @org.jspecify.annotations.Nullable Reading read(String text) {
        ByteBuf in = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
        try {
            if (parser.parseHead(in) == HeadParser.Outcome.INCOMPLETE) {
                return null;
            }
            in.skipBytes(parser.consumed());
            ParsedHead head = parser.head();
            List<String> fields = new ArrayList<>();
            for (int i = 0; i < head.headers().size(); i++) {
                fields.add(head.headers().name(i) + "=" + head.headers().value(i));
            }
            BodyFraming framing = new BodyFraming(parser, head.length());
            StringBuilder body = new StringBuilder();
            for (ByteBuf piece = framing.next(in); piece != null; piece = framing.next(in)) {
                body.append(piece.toString(StandardCharsets.ISO_8859_1));
                piece.release();
            }
            return framing.done()
                    ? new Reading(head.method(), head.target(), fields, body.toString(), in.readableBytes())
                    : null;
        } catch (RonException refused) {
            return null;
        } finally {
            in.release();
        }
    }

    private static Reading nettys(String text, int rest) {
        EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder());
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        channel.writeInbound(Unpooled.wrappedBuffer(bytes, 0, bytes.length - rest));
        HttpRequest request = channel.readInbound();
        assertThat(request.decoderResult().isSuccess()).as(text).isTrue();
        List<String> fields = new ArrayList<>();
        request.headers().forEach(field -> fields.add(field.getKey() + "=" + field.getValue()));
        StringBuilder body = new StringBuilder();
        for (HttpContent content = channel.readInbound(); content != null; content = channel.readInbound()) {
            assertThat(content.decoderResult().isSuccess()).as(text).isTrue();
            body.append(content.content().toString(StandardCharsets.ISO_8859_1));
            content.release();
        }
        channel.finishAndReleaseAll();
        return new Reading(request.method().name(), request.uri(), fields, body.toString(), rest);
    }
}
