package dev.ron.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Blocking;
import dev.ron.kernel.testkit.NoLeaks;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.ssl.SslHandler;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class TlsHandshakeTest {
    private static final TlsOptions OPTIONS = TlsOptions.defaults().withHandshakeLimit(Duration.ofSeconds(30));
    private static final int X25519_MLKEM768 = 0x11EC;
    private static final int X25519 = 0x001D;

    @TempDir
    Path folder;

    private TestCa ca;
    private EventLoops loops;

    @BeforeEach
    void start() {
        ca = new TestCa(folder);
        loops = new EventLoops("tls-test", 1);
    }

    @AfterEach
    void stop() {
        loops.close();
    }

    /** What a client saw of a handshake. */
    private record Seen(String protocol, String cipher, String alpn, X509Certificate certificate, int group) {}

    /** Keeps the first bytes that the server sends: the server hello travels in the clear. */
    private static final class Hello extends ChannelInboundHandlerAdapter {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf buffer = (ByteBuf) message;
            bytes.writeBytes(ByteBufUtil.getBytes(buffer));
            context.fireChannelRead(message);
        }

        /** The group of the key share in the server hello (RFC 8446, sections 4.1.3 and 4.2.8), 0 if there is none. */
        int group() {
            ByteBuffer in = ByteBuffer.wrap(bytes.toByteArray());
            assertThat(in.get()).as("record type").isEqualTo((byte) 22);
            in.position(in.position() + 4);
            assertThat(in.get()).as("message type").isEqualTo((byte) 2);
            in.position(in.position() + 3 + 2 + 32);
            int sessionId = in.get();
            in.position(in.position() + sessionId + 2 + 1);
            int end = in.getShort() + in.position();
            while (in.position() < end) {
                int type = in.getShort();
                int length = in.getShort();
                if (type == 51) {
                    return in.getShort() & 0xFFFF;
                }
                in.position(in.position() + length);
            }
            return 0;
        }
    }

    private static final class CloseOnFailure extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            context.close();
        }
    }

    private Channel serve(ServerTls tls) throws InterruptedException {
        return new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverChannel())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(tls.newHandler(channel.alloc()), new CloseOnFailure());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
    }

    private Seen connect(Channel server, Supplier<SslHandler> tls) throws Exception {
        Hello hello = new Hello();
        SslHandler handler = tls.get();
        Channel channel = new Bootstrap()
                .group(loops.group())
                .channel(loops.clientChannel())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(hello, handler, new CloseOnFailure());
                    }
                })
                .connect(server.localAddress())
                .sync()
                .channel();
        try {
            handler.handshakeFuture().get(30, TimeUnit.SECONDS);
            var session = handler.engine().getSession();
            return new Seen(
                    session.getProtocol(),
                    session.getCipherSuite(),
                    String.valueOf(handler.applicationProtocol()),
                    (X509Certificate) session.getPeerCertificates()[0],
                    hello.group());
        } finally {
            channel.close().sync();
        }
    }

    private Seen connect(Channel server, ClientTls tls, String host) throws Exception {
        int port = ((InetSocketAddress) server.localAddress()).getPort();
        return connect(server, () -> tls.newHandler(loops.allocator(), host, port));
    }

    private TlsIdentity identity(String... hosts) {
        TestCa.Pair files = ca.issue(hosts);
        return TlsIdentity.load(files.certificates(), files.key());
    }

    @ParameterizedTest
    @EnumSource(TlsEngine.class)
    void bothEnginesSpeakTls13WithAlpn(TlsEngine engine) throws Exception {
        TlsOptions options = OPTIONS.withEngine(engine);
        try (ServerTls server = new ServerTls(identity("localhost"), options.withProtocols(List.of("h2", "http/1.1")));
                ClientTls client = ClientTls.trusting(ca.roots, options)) {
            Channel listening = serve(server);
            Seen seen = connect(listening, client, "localhost");
            assertThat(seen.protocol).isEqualTo("TLSv1.3");
            assertThat(seen.alpn).isEqualTo("http/1.1");
            listening.close().sync();
        }
    }

    @Test
    void boringSslAgreesOnThePostQuantumGroup() throws Exception {
        Assumptions.assumeTrue(TlsEngine.best() == TlsEngine.BORINGSSL, "BoringSSL does not load here");
        try (ServerTls server = new ServerTls(identity("localhost"), OPTIONS);
                ClientTls client = ClientTls.trusting(ca.roots, OPTIONS);
                ClientTls plain = ClientTls.trusting(ca.roots, OPTIONS.withEngine(TlsEngine.JDK))) {
            Channel listening = serve(server);
            assertThat(connect(listening, client, "localhost").group).isEqualTo(X25519_MLKEM768);
            assertThat(connect(listening, plain, "localhost").group).isEqualTo(X25519);
            listening.close().sync();
        }
    }

    @ParameterizedTest
    @EnumSource(TlsEngine.class)
    void tls12NeedsAnExplicitOption(TlsEngine engine) throws Exception {
        TlsOptions options = OPTIONS.withEngine(engine);
        try (ServerTls strict = new ServerTls(identity("localhost"), options);
                ServerTls lenient = new ServerTls(identity("localhost"), options.withTls12())) {
            var old = io.netty.handler.ssl.SslContextBuilder.forClient()
                    .protocols("TLSv1.2")
                    .trustManager(ca.roots.toFile())
                    .build();
            Channel refusing = serve(strict);
            assertThatThrownBy(() -> connect(refusing, () -> old.newHandler(loops.allocator(), "localhost", 1)))
                    .isInstanceOf(ExecutionException.class);
            Channel accepting = serve(lenient);
            Seen seen = connect(accepting, () -> old.newHandler(loops.allocator(), "localhost", 1));
            assertThat(seen.protocol).isEqualTo("TLSv1.2");
            assertThat(seen.cipher).contains("ECDHE").contains("GCM");
            io.netty.util.ReferenceCountUtil.release(old);
            refusing.close().sync();
            accepting.close().sync();
        }
    }

    @ParameterizedTest
    @EnumSource(TlsEngine.class)
    void certificatesForOtherNamesOrFromStrangersOrOldOnesAreRefused(TlsEngine engine) throws Exception {
        TlsOptions options = OPTIONS.withEngine(engine);
        TestCa.Pair ended = ca.issue(Duration.ofHours(-1), "localhost");
        TlsIdentity old = TlsIdentity.load(ended.certificates(), ended.key());
        Path strangers = java.nio.file.Files.createDirectory(folder.resolve("strangers"));
        try (ServerTls server = new ServerTls(identity("localhost", "127.0.0.1"), options);
                ServerTls expired = new ServerTls(old, options);
                ClientTls client = ClientTls.trusting(ca.roots, options);
                ClientTls stranger = ClientTls.trusting(new TestCa(strangers).roots, options);
                ClientTls publicRoots = ClientTls.publicRoots(options)) {
            Channel listening = serve(server);
            Channel listeningOld = serve(expired);
            assertThat(connect(listening, client, "localhost")).isNotNull();
            assertThat(connect(listening, client, "127.0.0.1")).isNotNull();
            assertThatThrownBy(() -> connect(listening, client, "127.0.0.2")).isInstanceOf(ExecutionException.class);
            assertThatThrownBy(() -> connect(listening, client, "other.test")).isInstanceOf(ExecutionException.class);
            assertThatThrownBy(() -> connect(listening, stranger, "localhost")).isInstanceOf(ExecutionException.class);
            publicRoots.prepare();
            assertThatThrownBy(() -> connect(listening, publicRoots, "localhost"))
                    .isInstanceOf(ExecutionException.class);
            assertThatThrownBy(() -> connect(listeningOld, client, "localhost")).isInstanceOf(ExecutionException.class);
            listening.close().sync();
            listeningOld.close().sync();
        }
    }

    @ParameterizedTest
    @EnumSource(TlsEngine.class)
    void aSwappedCertificateIsUsedByTheNextConnection(TlsEngine engine) throws Exception {
        TlsOptions options = OPTIONS.withEngine(engine);
        try (ServerTls server = new ServerTls(identity("localhost", "first"), options);
                ClientTls client = ClientTls.trusting(ca.roots, options)) {
            Channel listening = serve(server);
            X509Certificate first = connect(listening, client, "localhost").certificate;
            server.swap(identity("localhost", "second"));
            X509Certificate second = connect(listening, client, "localhost").certificate;
            assertThat(first.getSubjectAlternativeNames()).asString().contains("first");
            assertThat(second.getSubjectAlternativeNames()).asString().contains("second");
            listening.close().sync();
        }
    }

    @Test
    void publicRootsAreReadByWhoNeedsThemFirstAndNeverOnAnEventLoop() throws Exception {
        try (ServerTls server = new ServerTls(identity("localhost"), OPTIONS);
                ClientTls unread = ClientTls.publicRoots();
                ClientTls roots = ClientTls.publicRoots();
                HttpClient client = new HttpClient(
                        loops,
                        (host, port, deadline) ->
                                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
                        roots,
                        ClientOptions.defaults(),
                        Meter.none())) {
            Channel listening = serve(server);
            int port = ((InetSocketAddress) listening.localAddress()).getPort();
            assertThatThrownBy(() -> client.send(ClientRequest.get("https://localhost:" + port + "/")))
                    .isInstanceOfSatisfying(
                            RonException.class,
                            refused -> assertThat(refused.reason()).isEqualTo("upstream_tls"));
            assertThatThrownBy(
                            () -> loops.group().next().submit(unread::prepare).get())
                    .hasCauseInstanceOf(Blocking.Refused.class);
            listening.close().sync();
        }
    }

    @Test
    void whatWasClosedBeforeAnybodyNeededItStaysClosed() {
        ClientTls tls = ClientTls.publicRoots();
        tls.close();
        assertThatThrownBy(() -> tls.newHandler(loops.allocator(), "localhost", 443))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("TLS was closed");
    }

    @Test
    void aSwapDoesNotDisturbHandlersBeingMade() throws Exception {
        TlsIdentity identity = identity("localhost");
        try (ServerTls server = new ServerTls(identity, OPTIONS)) {
            Thread swapping = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 40; i++) {
                    server.swap(identity);
                }
            });
            while (swapping.isAlive()) {
                SslHandler handler = (SslHandler) server.newHandler(loops.allocator());
                io.netty.util.ReferenceCountUtil.release(handler.engine());
            }
            swapping.join();
        }
    }
}
