package dev.ron.proof.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.admin.expose.ExpositionParser;
import dev.ron.admin.expose.Labels;
import dev.ron.admin.expose.SampleSink;
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
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.CaveatCodec;
import dev.ron.token.caveat.Shorthand;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.explain.Explainer;
import dev.ron.token.explain.Explanation;
import dev.ron.token.json.CanonicalJson;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.RevocationFeed;
import dev.ron.token.keys.Revocations;
import dev.ron.token.keys.Tenants;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Pct;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

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

    /** Metrics of a hostile node: nothing is thrown, and where the pieces are cut does not matter. */
    @FuzzTest(maxDuration = "60s")
    void exposition(byte[] body) {
        java.util.List<String> whole = new java.util.ArrayList<>();
        java.util.List<String> cut = new java.util.ArrayList<>();
        ExpositionParser one = new ExpositionParser(new Heard(whole));
        one.feed(java.nio.ByteBuffer.wrap(body));
        ExpositionParser two = new ExpositionParser(new Heard(cut));
        for (byte each : body) {
            two.feed(new byte[] {each}, 0, 1);
        }
        check(one.finish().equals(two.finish()) && whole.equals(cut), "pieces do not matter");
    }

    /** Writes down every sample. */
    private record Heard(java.util.List<String> samples) implements SampleSink {
        @Override
        public boolean wants(byte[] text, int from, int to, int lineEnd) {
            return true;
        }

        @Override
        public boolean known(long series, double value) {
            return false;
        }

        @Override
        public void sample(long series, String name, Labels labels, double value) {
            samples.add(name + labels.toMap() + value);
        }

        @Override
        public void type(String family, String type) {
            samples.add(family + type);
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

    @FuzzTest(maxDuration = "60s")
    void token(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        try {
            Pct token = Pct.parse(text, Caps.DEFAULT);
            check(token.chain().blocks().size() <= 4, "at most four blocks");
            check(text.startsWith("pct1~"), "nothing else is a token");
            Explanation words = new Explainer(Signatures.portable(), Caps.DEFAULT, 60).explain(text, 1_760_000_000L);
            check(!words.facts().isEmpty(), "what can be read can be explained");
        } catch (Refused _) {
            // refused, with its reason
        }
        // Whoever has no key of the issuer is never let in, whatever the text.
        Decision decision = new TokenVerifier(
                        VerifierConfig.of("svc-gateway"), Signatures.portable(), new SignatureCache(0))
                .verify(text, RequestContext.at(1_760_000_000L).build(), new KeyState(Map.of()));
        check(decision instanceof Decision.Deny, "no token is good without a trusted issuer");
    }

    @FuzzTest(maxDuration = "60s")
    void published(byte[] document) {
        try {
            JwkSet.parse(document);
        } catch (Refused _) {
            // refused
        }
        try {
            IssuerState issuer = IssuerState.of("i", List.of(), Revocations.none(0), Tenants.ALL);
            RevocationFeed.parse(document, issuer, Signatures.portable());
            check(false, "a feed without a known key was taken");
        } catch (Refused _) {
            // refused
        }
    }

    @FuzzTest(maxDuration = "60s")
    void shorthand(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            Caveat caveat = Shorthand.parse(text, 1_760_000_000L);
            String written = CanonicalJson.write(CaveatCodec.toJson(List.of(caveat)));
            check(written.startsWith("[{"), "what is understood can be written");
        } catch (Refused | ArithmeticException _) {
            // refused
        }
    }

    private static void check(boolean good, String claim) {
        if (!good) {
            throw new AssertionError("not so: " + claim);
        }
    }
}
