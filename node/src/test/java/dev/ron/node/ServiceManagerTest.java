package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service manager that started the node hears. */
final class ServiceManagerTest {
    @TempDir
    Path folder;

    @Test
    void readinessAndTheEndAreToldOverTheSocket() {
        Assumptions.assumeTrue(Epoll.isAvailable(), "skipped: epoll is not here");
        Path socket = folder.resolve("notify");
        List<String> heard = new CopyOnWriteArrayList<>();
        try (EventLoops loops = new EventLoops("test", 1, EventLoops.Transport.EPOLL, Clock.system())) {
            new Bootstrap()
                    .group(loops.group())
                    .channel(EpollDomainDatagramChannel.class)
                    .handler(new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                        @Override
                        protected void channelRead0(ChannelHandlerContext ctx, DomainDatagramPacket packet) {
                            heard.add(packet.content().toString(StandardCharsets.UTF_8));
                        }
                    })
                    .bind(new DomainSocketAddress(socket.toFile()))
                    .syncUninterruptibly();
            ServiceManager manager = new ServiceManager(Optional.of(socket.toString()));
            manager.ready();
            manager.stopping();
            Eventually.await(() -> heard.size() == 2);
            assertThat(heard).containsExactly("READY=1\nSTATUS=serving", "STOPPING=1\nSTATUS=draining");
        }
    }

    @Test
    void aSocketThatIsNotThereStopsNothing() {
        assertThatCode(() -> {
                    new ServiceManager(Optional.of(folder.resolve("nobody").toString())).ready();
                    new ServiceManager(Optional.empty()).ready();
                })
                .doesNotThrowAnyException();
    }
}
