package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.kernel.testkit.Eventually;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose gateway socket a service manager holds is replaced under traffic, as {@code systemctl restart} does it. */
@Timeout(180)
final class UpgradeTest {
    /** Opens a socket, then runs the command with it as descriptor 3, again and again, as a service manager would. */
    private static final String MANAGER = """
            use IO::Socket::INET;
            $^F = 10;
            my $s;
            # Below the ports that the system gives to callers, where the node's other ports follow this one.
            for (1 .. 100) {
                my $p = 10000 + int(rand(20000));
                $s = listener($p);
                last if $s && listener($p + 5) && listener($p + 6);
                undef $s;
            }
            die 'no free ports' if !$s;
            die 'not 3 but ' . fileno($s) if fileno($s) != 3;
            write_to('port', $s->sockport());
            my $port = $s->sockport();
            for my $n (1, 2) {
                my $child = fork();
                if (!$child) {
                    $ENV{LISTEN_PID} = $$;
                    $ENV{LISTEN_FDS} = 1;
                    my @command = map { s/PORT_BASE/$port/r } @ARGV;
                    open(STDOUT, '>', "out.$n");
                    open(STDERR, '>', "err.$n");
                    exec(@command) or die;
                }
                write_to("pid.$n", $child);
                waitpid($child, 0);
                write_to("rc.$n", $? >> 8);
            }
            sub listener {
                my ($port) = @_;
                return IO::Socket::INET->new(Listen => 128, LocalAddr => '127.0.0.1', LocalPort => $port, ReuseAddr => 1);
            }
            sub write_to {
                my ($name, $text) = @_;
                open(my $f, '>', "$name.new"); print $f $text; close($f); rename("$name.new", $name);
            }
            """;

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();
    private final AtomicBoolean enough = new AtomicBoolean();

    @AfterEach
    void end() throws InterruptedException {
        enough.set(true);
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    // SIGTERM to the first | requests all the time | the second starts  ->  every request is answered 200
    @Test
    void noRequestIsRefusedWhileTheProcessIsReplaced() throws Exception {
        assumeTrue(Epoll.isAvailable() && hasPerl(), "skipped: needs epoll, and perl to play the service manager");
        List<String> command = new ArrayList<>(List.of("perl", "-e", MANAGER));
        command.addAll(NodeProcess.java());
        // The gateway's port is the base itself; the others follow it.
        command.addAll(List.of("up", "--port-base", "PORT_BASE", "--services", "gateway"));
        started.add(new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("manager.txt").toFile())
                .start());
        Eventually.await("the socket is there", () -> Files.exists(folder.resolve("port")));
        int port = Integer.parseInt(Files.readString(folder.resolve("port")));
        AtomicInteger answered = new AtomicInteger();
        List<String> refused = new CopyOnWriteArrayList<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            callers.add(Thread.ofPlatform().name("caller-" + i).start(() -> call(port, answered, refused)));
        }
        Eventually.await("the first serves", () -> answered.get() > 50 || !refused.isEmpty());
        assertThat(refused).isEmpty();
        new ProcessBuilder("kill", "-TERM", Files.readString(folder.resolve("pid.1")))
                .start()
                .waitFor();
        Eventually.await("the first has gone", () -> Files.exists(folder.resolve("rc.1")));
        int before = answered.get();
        Eventually.await("the second serves", () -> answered.get() > before + 50 || !refused.isEmpty());
        enough.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(refused).isEmpty();
        assertThat(Files.readString(folder.resolve("rc.1")).strip())
                .as(Files.readString(folder.resolve("err.1")))
                .isEqualTo("0");
    }

    private void call(int port, AtomicInteger answered, List<String> refused) {
        byte[] request = "GET /demo/echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII);
        while (!enough.get() && refused.isEmpty()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(60_000);
                socket.getOutputStream().write(request);
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (answer.startsWith("HTTP/1.1 200")) {
                    answered.incrementAndGet();
                } else {
                    refused.add(answer);
                }
            } catch (IOException e) {
                refused.add(e.toString());
            }
        }
    }

    private static boolean hasPerl() throws InterruptedException {
        try {
            return new ProcessBuilder("perl", "-MIO::Socket::INET", "-e", "1")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(20, TimeUnit.SECONDS);
        } catch (IOException notThere) {
            return false;
        }
    }
}
