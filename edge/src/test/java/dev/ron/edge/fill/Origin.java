package dev.ron.edge.fill;

import dev.ron.http.testing.TestCa;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** An HTTPS origin that does to each request what a test says, bytes and all. */
final class Origin implements AutoCloseable {
    private final SSLServerSocket listener;
    private final AtomicInteger requests = new AtomicInteger();
    private final List<String> heads = new CopyOnWriteArrayList<>();

    /** Answers one request. */
    @FunctionalInterface
    interface Script {
        void answer(String head, OutputStream out) throws Exception;
    }

    Origin(TestCa ca, String host, Script script) throws Exception {
        TestCa.Pair pair = ca.issue(host);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        try (InputStream in = Files.newInputStream(pair.certificates())) {
            Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(in)
                    .toArray(Certificate[]::new);
            keys.setKeyEntry("key", key(pair.key()), new char[0], chain);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 512, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> accept(script));
    }

    private static PrivateKey key(Path pem) throws Exception {
        String text = Files.readString(pem).replaceAll("-----[A-Z ]+-----|\\s", "");
        byte[] der = Base64.getDecoder().decode(text);
        for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (java.security.spec.InvalidKeySpecException _) {
                // another kind
            }
        }
        throw new IllegalStateException("unknown kind of key");
    }

    private void accept(Script script) {
        while (true) {
            try {
                Socket socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket, script));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void serve(Socket socket, Script script) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                requests.incrementAndGet();
                heads.add(head);
                script.answer(head, out);
                out.flush();
            }
        } catch (Exception _) {
            // the caller has left, or the script wanted it so
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                return "";
            }
            text.append((char) c);
        }
        return text.toString();
    }

    /** A whole answer with a strong tag. */
    static byte[] ok(String body, String... fields) {
        StringBuilder head = new StringBuilder("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n");
        boolean tagged = false;
        for (int i = 0; i < fields.length; i += 2) {
            head.append(fields[i]).append(": ").append(fields[i + 1]).append("\r\n");
            tagged |= fields[i].toLowerCase(Locale.ROOT).equals("etag");
        }
        if (!tagged) {
            head.append("ETag: \"v1\"\r\n");
        }
        return (head + "\r\n" + body).getBytes(StandardCharsets.ISO_8859_1);
    }

    int port() {
        return listener.getLocalPort();
    }

    int requests() {
        return requests.get();
    }

    List<String> heads() {
        return heads;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
