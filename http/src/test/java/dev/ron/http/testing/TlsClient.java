package dev.ron.http.testing;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Plain requests over the JDK's TLS, to a server under a test authority. */
public final class TlsClient {
    private static final int PATIENCE_MILLIS = 30_000;
    private static final char[] NO_PASSWORD = new char[0];

    private final Path roots;
    private final Optional<TestCa.Pair> own;
    private String shown = "";
    private String serial = "";

    public TlsClient(Path roots) {
        this(roots, Optional.empty());
    }

    private TlsClient(Path roots, Optional<TestCa.Pair> own) {
        this.roots = roots;
        this.own = own;
    }

    /** The same client with a certificate of its own. */
    public TlsClient showing(TestCa.Pair pair) {
        return new TlsClient(roots, Optional.of(pair));
    }

    public SSLContext context() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("root", certificate(roots));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore mine = KeyStore.getInstance("PKCS12");
        mine.load(null, null);
        if (own.isPresent()) {
            Certificate[] chain = {certificate(own.get().certificates())};
            mine.setKeyEntry("own", key(own.get().key()), NO_PASSWORD, chain);
        }
        keys.init(mine, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static Certificate certificate(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        String pem = Files.readString(file).replaceAll("-----[A-Z ]+-----", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
    }

    /** Asks a host and says so in the handshake; the whole answer, head and body. */
    public String get(int port, String host, String path) throws Exception {
        return get(port, host, host, path);
    }

    public String get(int port, String sni, String host, String path) throws Exception {
        try (Open open = open(port, sni, Optional.empty())) {
            shown = open.subject();
            serial = open.serial();
            return open.get(host, path, true);
        }
    }

    /** Of the server's certificate, as the last call saw it. */
    public String shown() {
        return shown;
    }

    public String serial() {
        return serial;
    }

    public Open open(int port, String sni, Optional<String> alpn) throws Exception {
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        SSLSocket socket = (SSLSocket) context().getSocketFactory().createSocket(plain, sni, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(sni)));
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        alpn.ifPresent(protocol -> parameters.setApplicationProtocols(new String[] {protocol}));
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(PATIENCE_MILLIS);
        try {
            socket.startHandshake();
            return new Open(socket);
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    /** One connection. */
    public record Open(SSLSocket socket) implements Closeable {

        /** The answer up to the close, or up to the end of its announced body. */
        public String get(String host, String path, boolean last) throws IOException {
            String end = last ? "Connection: close\r\n" : "";
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + end + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            if (last) {
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            }
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            while (!answer.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                answer.write(socket.getInputStream().read());
            }
            String head = answer.toString(StandardCharsets.ISO_8859_1);
            String length = head.replaceAll("(?s).*Content-Length: (\\d+).*", "$1");
            return head
                    + new String(socket.getInputStream().readNBytes(Integer.parseInt(length)), StandardCharsets.UTF_8);
        }

        private X509Certificate certificate() throws IOException {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }

        public String subject() throws IOException {
            return certificate().getSubjectX500Principal().getName();
        }

        public String serial() throws IOException {
            return certificate().getSerialNumber().toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
