package dev.ron.admin;

import dev.ron.http.testing.RawServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A node on a real port that answers well, except where a test says otherwise. */
public final class FakeNode implements AutoCloseable {
    private final Map<String, RawServer.Script> scripts = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicLong served = new AtomicLong();
    private final RawServer server = new RawServer(this::serve);

    public FakeNode() {
        says("/healthz", 200, "{\"ok\":true,\"checks\":{}}");
        says(
                "/readyz",
                200,
                "{\"ready\":true,\"write_ready\":true,\"degraded\":false,\"missing\":[],\"phase\":\"running\"}");
        says(
                "/api/v1/status",
                200,
                "{\"schema\":\"ron-status/1\",\"service\":\"svc-gateway\",\"version\":\"1.0\",\"ready\":true,\"phase\":\"running\","
                        + "\"instance_id\":\"i1\",\"uptime_seconds\":9,\"capabilities\":[\"reload\",\"drain\",\"resume\",\"shutdown\"],"
                        + "\"planes\":[{\"name\":\"gateway\",\"health\":\"healthy\",\"ready\":true,\"restart_count\":0}]}");
        says("/version", 200, "{\"version\":\"1.0\",\"git_sha\":\"abc\"}");
        for (String action : List.of("reload", "drain", "resume", "shutdown")) {
            says("/api/v1/" + action, 202, "{\"accepted\":true}");
        }
    }

    public FakeNode says(String path, int status, String body) {
        return on(path, (peer, n) -> peer.write(answer(status, "application/json", body)));
    }

    public FakeNode on(String path, RawServer.Script script) {
        scripts.put(path, script);
        return this;
    }

    static String answer(int status, String type, String body) {
        return "HTTP/1.1 " + status + " X\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private void serve(RawServer.Peer peer, int number) throws Exception {
        for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
            String path = request.split(" ", 3)[1];
            requests.add(request);
            RawServer.Script script = scripts.get(path);
            if (script != null) {
                script.run(peer, number);
            } else if (path.equals("/metrics")) {
                peer.write(answer(200, "text/plain; version=0.0.4", metrics()));
            } else {
                peer.write(answer(404, "text/plain", ""));
            }
        }
    }

    private String metrics() throws IOException {
        long n = served.addAndGet(100);
        return "# TYPE http_requests_total counter\nhttp_requests_total{service=\"gateway\",route=\"/\",method=\"GET\",status=\"200\"} "
                + n + "\nqueue_depth{service=\"gateway\",queue=\"work\"} 3\n";
    }

    /** The requests so far whose first line starts so. */
    public List<String> requests(String start) {
        return requests.stream().filter(request -> request.startsWith(start)).toList();
    }

    public String url() {
        return "http://127.0.0.1:" + server.port();
    }

    public int openConnections() {
        return server.open();
    }

    @Override
    public void close() {
        server.close();
    }
}
