package dev.ron.admin.sample;

import dev.ron.admin.series.Scrape;
import dev.ron.admin.truth.Answer;
import dev.ron.admin.truth.Fault;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.ClientResponse;
import dev.ron.http.client.HttpClient;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.service.config.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Calls nodes over the shared client: no redirect is followed, no compression is asked for. */
public final class HttpNodeCaller implements NodeCaller {
    private static final String ACCEPT =
            "application/openmetrics-text;version=1.0.0;q=0.9,text/plain;version=0.0.4;q=1";

    private final HttpClient client;
    private final Clock clock;

    public HttpNodeCaller(HttpClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    @Override
    public Answer get(NodeTarget node, String path, int maxBytes, Deadline deadline) {
        ClientRequest request = ClientRequest.get(node.base() + path)
                .header("Accept", "application/json, text/plain;q=0.5")
                .maxBodyBytes(maxBytes);
        authorize(request, node.readCredential());
        return call(path, deadline, () -> client.send(request));
    }

    @Override
    public Scraped scrape(NodeTarget node, Supplier<Scrape> scrapes, int maxBytes, Deadline deadline) {
        ClientRequest request = ClientRequest.get(node.base() + "/metrics")
                .header("Accept", ACCEPT)
                .maxBodyBytes(maxBytes);
        authorize(request, node.readCredential());
        // The client may make the call a second time on a fresh connection; the last scrape is the one that counts.
        Scrape[] latest = {scrapes.get()};
        Answer answer = call(
                "/metrics",
                deadline,
                () -> client.send(request, () -> {
                    Scrape fresh = scrapes.get();
                    latest[0] = fresh;
                    return fresh::feed;
                }));
        return new Scraped(answer, latest[0]);
    }

    @Override
    public Answer post(NodeTarget node, String path, String body, Map<String, String> fields, Deadline deadline) {
        ClientRequest request = ClientRequest.post(
                        node.base() + path, "application/json", body.getBytes(StandardCharsets.UTF_8))
                .maxBodyBytes(64 << 10);
        fields.forEach(request::header);
        authorize(request, node.actionCredential());
        return call(path, deadline, () -> client.send(request));
    }

    private static void authorize(ClientRequest request, Optional<Secret> credential) {
        credential.ifPresent(secret -> request.header("Authorization", "Bearer " + NodeTarget.reveal(secret)));
    }

    private Answer call(String path, Deadline deadline, Callable<ClientResponse> call) {
        long started = clock.nanos();
        try {
            ClientResponse response =
                    CallContext.current().withDeadline(deadline).call(call);
            return said(path, response, millisSince(started));
        } catch (Canceled stopped) {
            throw stopped;
        } catch (RonException failure) {
            return new Answer.Failed(path, fault(failure), failure.detail(), millisSince(started));
        } catch (Exception e) {
            throw new IllegalStateException("a call fails with a RonException only", e);
        }
    }

    private static Answer said(String path, ClientResponse response, long millis) {
        int status = response.status();
        if (status >= 300 && status < 400) {
            return new Answer.Failed(path, Fault.REDIRECT, path + " answered " + status, millis);
        }
        if (status == 401 || status == 403) {
            return new Answer.Failed(path, Fault.DENIED, path + " answered " + status, millis);
        }
        if (response.header("content-encoding")
                .filter(c -> !c.equalsIgnoreCase("identity"))
                .isPresent()) {
            return new Answer.Failed(path, Fault.PARSE, path + " is compressed, which was not asked for", millis);
        }
        return new Answer.Said(
                path,
                status,
                millis,
                response.header("content-type").orElse(""),
                new String(response.body(), StandardCharsets.UTF_8));
    }

    private long millisSince(long started) {
        return (clock.nanos() - started) / 1_000_000;
    }

    private static Fault fault(RonException failure) {
        return switch (failure.reason()) {
            case "upstream_timeout", "timeout", "busy" -> Fault.TIMEOUT;
            case "upstream_dns" -> Fault.DNS;
            case "upstream_tls" -> Fault.TLS;
            case "upstream_reset", "upstream_truncated" -> Fault.RESET;
            case "upstream_too_large" -> Fault.TOO_LARGE;
            case "upstream_parse" -> Fault.PARSE;
            case "forbidden_address" -> Fault.FORBIDDEN_ADDRESS;
            case "draining", "canceled" -> Fault.CANCELED;
            default -> Fault.CONNECT;
        };
    }
}
