package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.kernel.testkit.Eventually;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sockets that a service manager hands over are no way around the configuration, nor a place to wait for nobody. */
@Timeout(180)
final class HandedOverTest {
    /** Opens a socket on the named address and becomes the command, with the socket as descriptor 3. */
    private static final String MANAGER = """
            use IO::Socket::INET;
            $^F = 10;
            my ($host, $offset) = splice(@ARGV, 0, 2);
            my ($base, $socket);
            # Below the ports that the system gives to callers, with seven free ones for the node.
            for (1 .. 100) {
                $base = 10000 + int(rand(20000));
                next if grep { !$_ } map { listener('127.0.0.1', $base + $_) } 0 .. 7;
                last if $socket = listener($host, $base + $offset);
            }
            die 'not 3 but ' . fileno($socket) if fileno($socket) != 3;
            open(my $f, '>', 'socket.new'); print $f $base + $offset; close($f); rename('socket.new', 'socket');
            $ENV{LISTEN_PID} = $$;
            $ENV{LISTEN_FDS} = 1;
            exec(map { s/PORT_BASE/$base/r } @ARGV) or die;
            sub listener {
                my ($host, $port) = @_;
                return IO::Socket::INET->new(Listen => 128, LocalAddr => $host, LocalPort => $port, ReuseAddr => 1);
            }
            """;

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void aManagerIsHere() throws InterruptedException {
        assumeTrue(
                Epoll.isAvailable() && UpgradeTest.hasPerl(),
                "skipped: needs epoll, and perl to play the service manager");
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    /** @param offset of the socket's port from the base; the gateway's is 0, and 7 is nobody's */
    private Process up(String host, int offset, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of("perl", "-e", MANAGER, host, String.valueOf(offset)));
        command.addAll(NodeProcess.java());
        command.addAll(List.of("up", "--port-base", "PORT_BASE", "--ports-file", "ports.json", "--profile", "micro"));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said.txt").toFile())
                .start();
        started.add(process);
        return process;
    }

    private String said() throws IOException {
        return Files.readString(folder.resolve("said.txt"));
    }

    @Test
    void aPublicSocketNeedsAPublicBindEvenWhereDangerIsAllowed() throws Exception {
        Process node = up("0.0.0.0", 0, "--set", "node.danger_ok=true");
        Eventually.await("it ends, or serves", () -> !node.isAlive() || Files.exists(folder.resolve("ports.json")));
        assertThat(node.waitFor(1, TimeUnit.SECONDS)).as(said()).isTrue();
        assertThat(node.exitValue()).as(said()).isEqualTo(ExitCode.BAD_CONFIG.code());
        assertThat(said())
                .contains("a socket that was handed over is open to others", "it listens on 0.0.0.0:", "node.bind");
    }

    @Test
    void callersOfASocketThatNobodyServesAreHungUpOn() throws Exception {
        Process node = up("127.0.0.1", 7);
        Eventually.await("it serves", () -> !node.isAlive() || Files.exists(folder.resolve("ports.json")));
        assertThat(node.isAlive()).as(said()).isTrue();
        int port = Integer.parseInt(Files.readString(folder.resolve("socket")));
        try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), port)) {
            caller.setSoTimeout(30_000);
            assertThat(caller.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(said()).contains("nobody here serves /127.0.0.1:" + port);
    }
}
