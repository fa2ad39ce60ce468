package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.Ed25519Signer;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.gen.OctetKeyPairGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.ron.passport.kms.SigningEngine;
import dev.ron.token.crypto.Signatures;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/guides/verify-tokens.md, taken from the page and run against a live office. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class VerifyGuideTest {
    private static final long HOUR = 3600;

    @TempDir
    Path folder;

    private HttpServer front;
    private OfficeProcess office;
    private String issuer;
    private String good;
    private String forged;
    private OctetKeyPair added;

    /** The office is known by the address of what stands before it, as where there is a proxy. */
    @BeforeEach
    void open() throws Exception {
        added = new OctetKeyPairGenerator(Curve.Ed25519).keyID("added").generate();
        front = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer = "http://127.0.0.1:" + front.getAddress().getPort();
        office = OfficeProcess.with(SigningEngine.local(Signatures.portable()), "passport.issuer=" + issuer);
        front.createContext("/.well-known/jwks.json", exchange -> {
            byte[] keys;
            try (var in =
                    URI.create(office.url("/.well-known/jwks.json")).toURL().openStream()) {
                String own = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                keys = own.replace(
                                "\"keys\":[", "\"keys\":[" + added.toPublicJWK().toJSONString() + ",")
                        .getBytes(StandardCharsets.UTF_8);
            }
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, keys.length);
            exchange.getResponseBody().write(keys);
            exchange.close();
        });
        front.start();
        good = office.issue("\"format\":\"jwt\"");
        int signature = good.lastIndexOf('.') + 1;
        forged = good.substring(0, signature)
                + (good.charAt(signature) == 'A' ? 'B' : 'A')
                + good.substring(signature + 1);
    }

    @AfterEach
    void close() throws Exception {
        front.stop(0);
        office.close();
    }

    @Test
    void java() throws Exception {
        Path source = folder.resolve("Guide.java");
        Files.writeString(source, """
                import com.nimbusds.jose.crypto.*;
                import com.nimbusds.jose.jwk.*;
                import com.nimbusds.jwt.*;
                import java.net.URI;
                import java.time.Instant;
                public class Guide {
                    public static boolean good(String issuer, String token) throws Exception {
                        %s
                        return good;
                    }
                }
                """.formatted(block("java")));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                folder.toString(),
                                source.toString()))
                .isZero();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            var check = loader.loadClass("Guide").getMethod("good", String.class, String.class);
            assertThat(check.invoke(null, issuer, good)).isEqualTo(true);
            assertThat(check.invoke(null, issuer, forged)).isEqualTo(false);
            assertThat(check.invoke(null, issuer, signed("at+jwt", 0))).isEqualTo(true);
            assertThat(check.invoke(null, issuer, signed("at+jwt", HOUR))).isEqualTo(false);
            assertThat(check.invoke(null, issuer, signed("JWT", 0))).isEqualTo(false);
        }
    }

    @Test
    void node() throws Exception {
        String npm = JoseAgreesTest.joseOrWhyNot();
        assumeTrue(npm.isEmpty(), npm);
        Path script = JoseAgreesTest.MODULES.resolve("guide.mjs");
        Files.writeString(
                script,
                "const [issuer, token] = process.argv.slice(2);\n" + block("js") + "console.log(payload.sub);\n");
        tellsGoodFromForged("node", script.toString());
    }

    @Test
    void python() throws Exception {
        List<String> python = pythonOrNone();
        assumeTrue(!python.isEmpty(), "skipped: no Python with PyJWT and cryptography is here or can be installed");
        Path script = folder.resolve("guide.py");
        Files.writeString(
                script,
                "import sys\nimport jwt\nissuer, token = sys.argv[1:]\n" + block("python") + "print(claims['sub'])\n");
        tellsGoodFromForged(python.getFirst(), script.toString());
    }

    @Test
    void go() throws Exception {
        assumeTrue(works("go", "version"), "skipped: Go is not here");
        Path source = folder.resolve("guide.go");
        Files.writeString(source, """
                package main

                import (
                	"crypto/ed25519"
                	"encoding/base64"
                	"encoding/json"
                	"errors"
                	"fmt"
                	"net/http"
                	"os"
                	"strings"
                	"time"
                )

                func main() {
                	claims, err := verify(os.Args[1], "svc-demo", os.Args[2])
                	if err != nil {
                		fmt.Println(err)
                		os.Exit(1)
                	}
                	fmt.Println(claims["sub"])
                }

                """ + block("go"));
        Path program = folder.resolve("guide");
        JoseAgreesTest.run(120, "go", "build", "-o", program.toString(), source.toString());
        tellsGoodFromForged(program.toString());
    }

    private void tellsGoodFromForged(String... command) throws Exception {
        assertThat(JoseAgreesTest.run(60, with(command, issuer, good)).strip()).isEqualTo("ann");
        assertThatThrownBy(() -> JoseAgreesTest.run(60, with(command, issuer, forged)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(JoseAgreesTest.run(60, with(command, issuer, signed("at+jwt", 0)))
                        .strip())
                .isEqualTo("ann");
        for (String wrong : List.of(signed("at+jwt", HOUR), signed("JWT", 0))) {
            assertThatThrownBy(() -> JoseAgreesTest.run(60, with(command, issuer, wrong)))
                    .as("too early, or of another kind")
                    .isInstanceOf(IllegalStateException.class);
        }
        String elsewhere = issuer.replace("127.0.0.1", "localhost");
        assertThatThrownBy(() -> JoseAgreesTest.run(60, with(command, elsewhere, good)))
                .as("the same keys under another issuer's name")
                .isInstanceOf(IllegalStateException.class);
    }

    /** A token as the office would not make it, with a key of its set; it begins in so many seconds. */
    private String signed(String type, long begins) throws JOSEException {
        Instant now = Instant.now();
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.EdDSA)
                        .keyID(added.getKeyID())
                        .type(new JOSEObjectType(type))
                        .build(),
                new JWTClaimsSet.Builder()
                        .issuer(issuer)
                        .subject("ann")
                        .audience("svc-demo")
                        .notBeforeTime(Date.from(now.plusSeconds(begins)))
                        .expirationTime(Date.from(now.plusSeconds(2 * HOUR)))
                        .build());
        token.sign(new Ed25519Signer(added));
        return token.serialize();
    }

    private static String[] with(String[] command, String... more) {
        return java.util.stream.Stream.concat(java.util.stream.Stream.of(command), java.util.stream.Stream.of(more))
                .toArray(String[]::new);
    }

    /** The machine's own, Debian's own, else one made with pip. */
    private static List<String> pythonOrNone() {
        Path own = Path.of("target", "python");
        for (String python :
                List.of("python3", "/usr/bin/python3", own.resolve("bin/python").toString())) {
            if (works(python, "-c", "import jwt, cryptography")) {
                return List.of(python);
            }
        }
        boolean made = works("python3", "-m", "venv", own.toString())
                && works(own.resolve("bin/pip").toString(), "install", "-q", "pyjwt[crypto]==2.10.1");
        return made ? List.of(own.resolve("bin/python").toString()) : List.of();
    }

    private static boolean works(String... command) {
        try {
            Files.createDirectories(JoseAgreesTest.MODULES);
            JoseAgreesTest.run(90, command);
            return true;
        } catch (IOException | IllegalStateException notHere) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The first example of a language. */
    private static String block(String language) throws IOException {
        Matcher block = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$")
                .matcher(Files.readString(Path.of("../docs/guides/verify-tokens.md")));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }
}
