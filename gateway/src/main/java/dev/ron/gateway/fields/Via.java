package dev.ron.gateway.fields;

import dev.ron.http.message.Headers;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;

/** Our name in the chain of those that passed a message on. */
public final class Via {
    private final String name;
    private final String entry;

    public Via(String instance) {
        this.name = instance;
        this.entry = "1.1 " + instance;
    }

    public String instance() {
        return name;
    }

    /** Refuses a request that has been here before. */
    void refuseLoop(Headers headers) {
        for (int at = headers.indexOf("Via", 0); at >= 0; at = headers.indexOf("Via", at + 1)) {
            for (String hop : headers.value(at).split(",", -1)) {
                String[] words = hop.strip().split("[ \t]+", 3);
                if (words.length > 1 && words[1].equalsIgnoreCase(name)) {
                    throw new RonException(
                            Code.LOOP, "loop", "the request has passed this gateway (" + name + ") already");
                }
            }
        }
    }

    /** Every entry there was, and ours behind them. */
    void append(Headers from, Headers.Builder to) {
        StringBuilder all = new StringBuilder();
        for (int at = from.indexOf("Via", 0); at >= 0; at = from.indexOf("Via", at + 1)) {
            all.append(from.value(at)).append(", ");
        }
        to.add("via", all.isEmpty() ? entry : all.append(entry).toString());
    }
}
