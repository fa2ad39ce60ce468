package dev.ron.proof.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.http.decode.BodyDecoder;
import dev.ron.http.decode.ContentCoding;
import dev.ron.http.decode.DecodeLimits;
import dev.ron.http.json.StrictJson;
import dev.ron.http.problem.Problem;
import dev.ron.http.route.NormalPath;
import dev.ron.kernel.error.RonException;
import dev.ron.node.NodeSections;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Sources;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Whatever comes in, a parser answers with a value or with its typed refusal, and stays within its bounds. */
final class ParsersFuzzTest {
    private static final DecodeLimits LIMITS = new DecodeLimits(1 << 20, 10, 64 << 10);

    @FuzzTest(maxDuration = "60s")
    void json(byte[] document) {
        StrictJson json = new StrictJson();
        try {
            byte[] written = json.write(json.tree(document));
            check(Arrays.equals(written, json.write(json.tree(written))), "what was written reads back the same");
        } catch (RonException _) {
            // refused, with its place
        }
    }

    @FuzzTest(maxDuration = "60s")
    void problem(byte[] document) {
        try {
            Problem problem = Problem.parse(document);
            check(Problem.parse(problem.toJson()).equals(problem), "a problem reads back as itself");
        } catch (RonException _) {
            // refused
        }
    }

    @FuzzTest(maxDuration = "60s")
    void path(byte[] bytes) {
        try {
            String once = NormalPath.of(new String(bytes, StandardCharsets.ISO_8859_1));
            check(NormalPath.of(once).equals(once), "a normal path is its own normal form");
            check(!once.contains("/../") && !once.contains("//"), "nothing is left to resolve");
        } catch (RonException _) {
            // refused
        }
    }

    @FuzzTest(maxDuration = "60s")
    void decompression(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        ContentCoding[] codings = ContentCoding.values();
        ContentCoding coding = codings[Math.floorMod(bytes[0], codings.length)];
        ByteBuf body = Unpooled.wrappedBuffer(bytes, 1, bytes.length - 1);
        try {
            ByteBuf decoded = BodyDecoder.decode(body, coding, LIMITS, UnpooledByteBufAllocator.DEFAULT);
            check(decoded.readableBytes() <= 1 << 20, "the cap holds");
            decoded.release();
        } catch (RonException _) {
            // refused
        }
    }

    @FuzzTest(maxDuration = "60s")
    void toml(byte[] text) throws IOException {
        Path file = Files.createTempFile("fuzz", ".toml");
        try {
            Files.write(file, text);
            ConfigResult result =
                    ConfigLoader.load(NodeSections.ALL, Sources.none().withFile(file));
            if (result instanceof ConfigResult.Rejected rejected) {
                check(!rejected.errors().isEmpty(), "a rejection says why");
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void check(boolean good, String claim) {
        if (!good) {
            throw new AssertionError("not so: " + claim);
        }
    }
}
