package dev.ron.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.task.Supervisor;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class SystemAddressesTest {
    private Supervisor supervisor;
    private Lane lane;

    @BeforeEach
    void start() {
        supervisor = new Supervisor("test", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, _ -> {});
        lane = new Lane(Topology.lane("dns", 1, 4), supervisor, Meter.none());
    }

    @AfterEach
    void stop() {
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        supervisor.join(Stage.WATCHERS, soon());
    }

    private static Deadline soon() {
        return Deadline.after(Clock.system(), Duration.ofSeconds(30));
    }

    @Test
    void namesAndLiteralsBecomeAddressesWithThePort() {
        SystemAddresses addresses = new SystemAddresses(lane);
        assertThat(addresses.resolve("localhost", 81, soon())).isNotEmpty().allSatisfy(address -> {
            assertThat(address.getAddress().isLoopbackAddress()).isTrue();
            assertThat(address.getPort()).isEqualTo(81);
        });
        for (String literal : List.of("127.0.0.1", "::1")) {
            assertThat(addresses.resolve(literal, 81, soon()))
                    .singleElement()
                    .satisfies(address ->
                            assertThat(address.getAddress().isLoopbackAddress()).isTrue());
        }
    }

    @Test
    void aNameWithoutAddressIsTyped() {
        assertThatExceptionOfType(RonException.class)
                .isThrownBy(() -> new SystemAddresses(lane).resolve("no-such-host.invalid", 81, soon()))
                .returns("upstream_dns", RonException::reason);
    }

    @Test
    void aLiteralNeedsNoLookUp() {
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        assertThat(new SystemAddresses(lane)
                        .resolve("127.0.0.1", 81, soon())
                        .getFirst()
                        .getAddress())
                .isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
    }
}
