package dev.ron.service.client;

import dev.ron.http.client.Addresses;
import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.service.lifecycle.ServiceContext;

/** An HTTP client and the TLS it dials with; both end in one stage of the stop, while their loops still turn. */
public final class Outbound implements Drainable {
    private final String name;
    private final Stage stage;
    private final ClientTls tls;
    private final HttpClient client;

    private Outbound(String name, Stage stage, ClientTls tls, HttpClient client) {
        this.name = name;
        this.stage = stage;
        this.tls = tls;
        this.client = client;
    }

    /**
     * A client that needs no closing by its owner.
     *
     * @param end the stage in which it goes: after the tasks that use it, before its loops
     * @param tls goes with it
     */
    public static HttpClient open(
            ServiceContext context,
            Stage end,
            EventLoops loops,
            Addresses addresses,
            ClientTls tls,
            ClientOptions options,
            Meter meter) {
        HttpClient client = new HttpClient(loops, addresses, tls, options, meter);
        context.stopWithProcess(new Outbound(context.kernel().topology().service() + "/outbound", end, tls, client));
        return client;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Stage stage() {
        return stage;
    }

    @Override
    public boolean drain(Deadline deadline) {
        client.close();
        tls.close();
        return true;
    }

    @Override
    public int abort() {
        return 0;
    }
}
