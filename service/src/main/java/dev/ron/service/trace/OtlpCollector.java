package dev.ron.service.trace;

import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.ClientResponse;
import dev.ron.http.client.HttpClient;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import java.net.URI;

/** An OTLP collector reached over HTTP; the endpoint is its base, such as {@code http://127.0.0.1:4318}. */
public final class OtlpCollector implements SpanExporter.Collector {
    private static final int MAX_ANSWER_BYTES = 64 << 10;

    private final HttpClient client;
    private final String url;

    public OtlpCollector(HttpClient client, URI endpoint) {
        this.client = client;
        String base = endpoint.toString();
        this.url = (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + "/v1/traces";
    }

    @Override
    public void post(byte[] body, Deadline deadline) {
        ClientRequest request =
                ClientRequest.post(url, "application/json", body).maxBodyBytes(MAX_ANSWER_BYTES);
        CallContext.of(deadline, CallContext.current().corrId()).run(() -> {
            ClientResponse answer = client.send(request);
            if (answer.status() / 100 != 2) {
                throw new RonException(Code.UPSTREAM_PARSE, "collector", "the collector answered " + answer.status());
            }
        });
    }
}
