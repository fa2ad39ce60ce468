package dev.ron.edge.fill;

import dev.ron.edge.Setup;
import dev.ron.edge.TestEdge;
import dev.ron.http.client.Addresses;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** An edge with one route, {@code o/}, to an origin on this machine. */
final class FillEdge {
    static final String HOST = "origin.test";

    private FillEdge() {}

    /**
     * @param ingress lines of {@code [edge.ingress]}
     * @param fill lines of {@code [edge.live_fill]}, and tables after them
     */
    static TestEdge start(Origin origin, TestCa ca, Path data, String ingress, String fill) {
        return start(origin, ca, Optional.of(data), "", ingress, fill, Backoff.Policy.DEFAULT);
    }

    /** @param edge lines of {@code [edge]} */
    static TestEdge start(
            Origin origin,
            TestCa ca,
            Optional<Path> data,
            String edge,
            String ingress,
            String fill,
            Backoff.Policy restarts) {
        Addresses here =
                (host, port, deadline) -> List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return start(origin, ca, data, edge, ingress, fill, restarts, here);
    }

    /** @param names where the origin is said to be */
    static TestEdge start(
            Origin origin,
            TestCa ca,
            Optional<Path> data,
            String edge,
            String ingress,
            String fill,
            Backoff.Policy restarts,
            Addresses names) {
        Setup setup = new Setup("127.0.0.1", 0, data, false, Optional.empty(), Optional.of(names));
        return new TestEdge(toml(origin, ca, edge, ingress, fill), setup, restarts);
    }

    static String toml(Origin origin, TestCa ca, String edge, String ingress, String fill) {
        return """
                [edge]
                allow = ["%1$s:%2$d"]
                workers = 4
                %6$s
                [edge.routes.o]
                prefix = "o/"
                base = "https://%1$s:%2$d/"
                [edge.ingress]
                rps_limit = 1000000
                %4$s
                [edge.live_fill]
                ca_file = "%3$s"
                rps = 100000
                burst = 100000
                private_nets = ["127.0.0.0/8"]
                %5$s
                """.formatted(HOST, origin.port(), ca.roots, ingress, fill, edge);
    }

    static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }
}
