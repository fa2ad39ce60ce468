package dev.ron.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ron.http.loop.EventLoops;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawServer;
import dev.ron.http.testing.TestCa;
import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.ServerTls;
import dev.ron.http.tls.TlsIdentity;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.testkit.NoLeaks;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class HttpsClientTest {
    private static final TlsOptions OPTIONS = TlsOptions.defaults().withHandshakeLimit(Duration.ofSeconds(30));
    private static final byte[] OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(UTF_8);
    private static final ClientOptions PATIENT =
            ClientOptions.defaults().withTotalLimit(Duration.ofSeconds(30)).withConnectLimit(Duration.ofSeconds(20));

    @TempDir
    Path folder;

    private EventLoops loops;
    private ServerTls server;
    private ClientTls tls;
    private Channel listening;

    @BeforeEach
    void start() throws InterruptedException {
        loops = new EventLoops("https-test", 1);
        TestCa ca = new TestCa(folder);
        TestCa.Pair files = ca.issue("good.test");
        server = new ServerTls(TlsIdentity.load(files.certificates(), files.key()), OPTIONS);
        tls = ClientTls.trusting(ca.roots, OPTIONS);
        listening = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverChannel())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(server.newHandler(channel.alloc()), new Answering());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
    }

    @AfterEach
    void stop() throws InterruptedException {
        listening.close().sync();
        loops.close();
        server.close();
        tls.close();
    }

    private static final class Answering extends SimpleChannelInboundHandler<Object> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(Unpooled.wrappedBuffer(OK));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private HttpClient client(ClientOptions options, int port) {
        Addresses loopback = (_, _, _) -> List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new HttpClient(loops, loopback, tls, options, Meter.none());
    }

    private int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    @Test
    void callsOverTlsAndKeepsTheConnection() {
        try (HttpClient client = client(PATIENT, port())) {
            for (int i = 0; i < 5; i++) {
                ClientResponse response = client.send(ClientRequest.get("https://good.test/"));
                assertThat(response.body()).asString(UTF_8).isEqualTo("ok");
            }
            assertThat(client.connections()).isEqualTo(1);
        }
    }

    @Test
    void aCertificateForAnotherNameIsRefused() {
        try (HttpClient client = client(PATIENT, port())) {
            assertThatExceptionOfType(RonException.class)
                    .isThrownBy(() -> client.send(ClientRequest.get("https://bad.test/")))
                    .returns(Code.UPSTREAM_CONNECT, RonException::code)
                    .returns("upstream_tls", RonException::reason);
        }
    }

    @Test
    void aServerThatNeverShakesHandsIsATimeout() {
        try (RawServer silent = new RawServer((peer, _) -> peer.awaitClose());
                HttpClient client = client(PATIENT.withConnectLimit(Duration.ofMillis(300)), silent.port())) {
            assertThatExceptionOfType(RonException.class)
                    .isThrownBy(() -> client.send(ClientRequest.get("https://good.test/")))
                    .returns(Code.UPSTREAM_TIMEOUT, RonException::code);
        }
    }

    @Test
    void aServerThatSpeaksSomethingElseIsATlsFailure() {
        try (RawServer plain = new RawServer((peer, _) -> {
                    peer.write("HTTP/1.1 400 Bad Request\r\n\r\n");
                    peer.awaitClose();
                });
                HttpClient client = client(PATIENT, plain.port())) {
            assertThatExceptionOfType(RonException.class)
                    .isThrownBy(() -> client.send(ClientRequest.get("https://good.test/")))
                    .returns("upstream_tls", RonException::reason);
        }
    }
}
