package dev.ron.node;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.kernel.testkit.Eventually;
import dev.ron.node.cli.Ron.Said;
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

/** A node whose sockets a service manager holds is replaced under traffic, as {@code systemctl restart} does it. */
@Timeout(180)
final class UpgradeTest {
    /** Opens four sockets, then runs the command with them from descriptor 3 on, twice, as a service manager would. */
    private static final String MANAGER = """
            use IO::Socket::INET;
            $^F = 10;
            my @s;
            # Below the ports that the system gives to callers, where the node's other ports follow these.
            for (1 .. 100) {
                my $p = 10000 + int(rand(20000));
                @s = grep { defined } map { listener($p + $_) } 0 .. 3;
                last if @s == 4 && listener($p + 4) && listener($p + 5) && listener($p + 6);
                @s = ();
            }
            die 'no free ports' if !@s;
            die 'not 3 but ' . fileno($s[0]) if fileno($s[0]) != 3;
            my $port = $s[0]->sockport();
            write_to('port', $port);
            for my $n (1, 2) {
                my $child = fork();
                if (!$child) {
                    $ENV{LISTEN_PID} = $$;
                    $ENV{LISTEN_FDS} = 4;
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

    /** What is asked of gateway, edge, passport and registry; their ports follow each other. */
    private static final List<String> PATHS =
            List.of("/registry/head", "/edge/tiles/world/0/0/0.mvt", "/.well-known/jwks.json", "/registry/head");

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

    // SIGTERM to the first | requests to each service all the time | the second starts  ->  every request
    // is answered 200
    @Test
    void noRequestIsRefusedWhileTheProcessIsReplaced() throws Exception {
        int base = startUnderAManager();
        List<String> refused = new CopyOnWriteArrayList<>();
        List<AtomicInteger> answered = new ArrayList<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < PATHS.size(); i++) {
            int port = base + i;
            String path = PATHS.get(i);
            AtomicInteger count = new AtomicInteger();
            answered.add(count);
            callers.add(Thread.ofPlatform().name("caller-" + i).start(() -> call(port, path, count, refused)));
        }
        Eventually.await("the first serves all", () -> all(answered, 20) || !refused.isEmpty());
        assertThat(refused).isEmpty();
        new ProcessBuilder("kill", "-TERM", Files.readString(folder.resolve("pid.1")))
                .start()
                .waitFor();
        Eventually.await("the first has gone", () -> Files.exists(folder.resolve("rc.1")));
        answered.forEach(count -> count.set(0));
        Eventually.await("the second serves all", () -> all(answered, 20) || !refused.isEmpty());
        enough.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(refused).isEmpty();
        assertThat(Files.readString(folder.resolve("rc.1")).strip())
                .as(Files.readString(folder.resolve("err.1")))
                .isEqualTo("0");
    }

    // the manager holds the sockets as well, and comes first among the processes  ->  the node is seen behind it
    @Test
    void checkKnowsItsNodeBehindAManagerThatHoldsTheSockets() throws Exception {
        int base = startUnderAManager();
        Said check = ron(
                "check",
                "--port-base",
                String.valueOf(base),
                "--data",
                folder.resolve("data").toString());
        assertThat(check.out())
                .containsPattern("port " + base + " +gateway, of the node that runs with this folder")
                .contains("all good");
        assertThat(PortHolder.of(base))
                .extracting(PortHolder::pid)
                .contains(started.getFirst().pid(), Long.parseLong(Files.readString(folder.resolve("pid.1"))));
    }

    /** Waits until the first process serves; answers the first of its ports. */
    private int startUnderAManager() throws Exception {
        assumeTrue(Epoll.isAvailable() && hasPerl(), "skipped: needs epoll, and perl to play the service manager");
        List<String> command = new ArrayList<>(List.of("perl", "-e", MANAGER));
        command.addAll(NodeProcess.java());
        command.addAll(List.of("up", "--port-base", "PORT_BASE"));
        started.add(new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("manager.txt").toFile())
                .start());
        Eventually.await("the sockets are there", () -> Files.exists(folder.resolve("port")));
        int base = Integer.parseInt(Files.readString(folder.resolve("port")));
        for (int i = 0; i < PATHS.size(); i++) {
            int port = base + i;
            String path = PATHS.get(i);
            Eventually.await("the first serves " + path, () -> get(port, path).startsWith("HTTP/1.1 200"));
        }
        return base;
    }

    private static boolean all(List<AtomicInteger> answered, int atLeast) {
        return answered.stream().allMatch(count -> count.get() > atLeast);
    }

    private void call(int port, String path, AtomicInteger answered, List<String> refused) {
        while (!enough.get() && refused.isEmpty()) {
            String answer = get(port, path);
            if (answer.startsWith("HTTP/1.1 200")) {
                answered.incrementAndGet();
            } else {
                refused.add(path + ": " + answer);
            }
        }
    }

    private static String get(int port, String path) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    static boolean hasPerl() throws InterruptedException {
        try {
            Process perl = new ProcessBuilder("perl", "-MIO::Socket::INET", "-e", "1")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return perl.waitFor(20, TimeUnit.SECONDS) && perl.exitValue() == 0;
        } catch (IOException notThere) {
            return false;
        }
    }
}
