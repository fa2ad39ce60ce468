package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which hosts and which addresses may be fetched from. */
class AddressRulesTest {
    private static final AddressRules RULES = new AddressRules((host, port, deadline) -> List.of(), List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "0.0.0.0",
                "10.1.2.3",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "192.0.0.8",
                "192.0.2.1",
                "198.18.0.1",
                "198.51.100.7",
                "203.0.113.9",
                "224.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "fe80::1",
                "fc00::1",
                "fd12::1",
                "ff02::1",
                "2001:db8::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b::a00:1",
                "64:ff9b:1::808:808",
                "::ffff:0:8.8.8.8",
                "2002:7f00:1::",
                "2002:a9fe:a9fe::",
                "2001:0:a00:1::",
                "::10.0.0.1"
            })
    void whatIsNotPublicIsRefused(String address) throws UnknownHostException {
        assertThat(RULES.allows(InetAddress.getByName(address))).as(address).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "93.184.216.34",
                "8.8.8.8",
                "172.32.0.1",
                "2606:2800:220:1::1",
                "::ffff:8.8.8.8",
                "64:ff9b::808:808"
            })
    void whatIsPublicIsAllowed(String address) throws UnknownHostException {
        assertThat(RULES.allows(InetAddress.getByName(address))).as(address).isTrue();
    }

    // A resolver hands over the 16 bytes as they are; text in this form becomes a plain IPv4 address before we see it.
    @ParameterizedTest
    @CsvSource({"7f000001, false", "a9fea9fe, false", "0a000001, false", "08080808, true"})
    void anIpv4AddressInSixteenBytesIsJudgedAsWhatItIs(String inner, boolean allowed) throws UnknownHostException {
        byte[] mapped = HexFormat.of().parseHex("00000000000000000000ffff" + inner);
        assertThat(RULES.allows(Inet6Address.getByAddress(null, mapped, -1))).isEqualTo(allowed);
    }

    @Test
    void aNetworkThatIsOpenedIsOpenAndNoMore() throws UnknownHostException {
        AddressRules rules = new AddressRules((host, port, deadline) -> List.of(), List.of("10.1.0.0/16"));
        assertThat(rules.allows(InetAddress.getByName("10.1.255.1"))).isTrue();
        assertThat(rules.allows(InetAddress.getByName("10.2.0.1"))).isFalse();
    }

    @Test
    void hostsAreComparedInOneSpelling() {
        AllowList list = new AllowList(List.of("example.com", "*.tiles.example", "api.example:8443", "bücher.example"));
        assertThat(list.allows("EXAMPLE.com.", 443)).isTrue();
        assertThat(list.allows("a.b.tiles.example", 443)).isTrue();
        assertThat(list.allows("xn--bcher-kva.example", 443)).isTrue();
        assertThat(list.allows("api.example", 8443)).isTrue();
        for (String host : List.of(
                "evil-example.com",
                "example.com.evil",
                "tiles.example",
                "user@example.com",
                "127.0.0.1",
                "2130706433",
                "0x7f000001",
                "017700000001",
                "[::1]",
                "",
                ".",
                "exa mple.com")) {
            assertThat(list.allows(host, 443)).as(host).isFalse();
        }
        assertThat(list.allows("example.com", 80)).isFalse();
        assertThat(list.allows("api.example", 443)).isFalse();
    }
}
