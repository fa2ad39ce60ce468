package dev.ron.admin.sample;

import dev.ron.admin.series.Scrape;
import dev.ron.admin.truth.Answer;
import dev.ron.kernel.time.Deadline;
import java.util.Map;
import java.util.function.Supplier;

/** Calls a node: every call has a total deadline and a cap on its answer, and none throws but for a stop. */
public interface NodeCaller {

    /** Asks one endpoint, with the credential for reading. */
    Answer get(NodeTarget node, String path, int maxBytes, Deadline deadline);

    /**
     * Reads {@code /metrics} into a scrape. An answer of status 200 means that the scrape is whole; its body is empty.
     *
     * @param scrapes makes the scrape that a call fills; asked again where the call is made again
     */
    Scraped scrape(NodeTarget node, Supplier<Scrape> scrapes, int maxBytes, Deadline deadline);

    /** Posts an action, with the credential for acting; never made twice. */
    Answer post(NodeTarget node, String path, String body, Map<String, String> fields, Deadline deadline);

    /** An answer, and what was read of its body. */
    record Scraped(Answer answer, Scrape scrape) {}
}
