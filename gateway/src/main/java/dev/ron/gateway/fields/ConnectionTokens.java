package dev.ron.gateway.fields;

import dev.ron.http.message.Headers;
import java.util.ArrayList;
import java.util.List;

/** The fields that a message's own Connection field declares to be for one hop only. */
final class ConnectionTokens {
    private ConnectionTokens() {}

    static List<String> of(Headers headers) {
        int at = headers.indexOf("Connection", 0);
        if (at < 0) {
            return List.of();
        }
        List<String> named = new ArrayList<>();
        for (; at >= 0; at = headers.indexOf("Connection", at + 1)) {
            for (String token : headers.value(at).split(",", -1)) {
                String name = token.strip();
                if (!name.isEmpty() && !name.equalsIgnoreCase("keep-alive") && !name.equalsIgnoreCase("close")) {
                    named.add(name);
                }
            }
        }
        return named;
    }

    static boolean names(List<String> named, Headers headers, int i) {
        for (int n = 0; n < named.size(); n++) {
            String name = named.get(n);
            if (name.length() == headers.nameLength(i) && name.equalsIgnoreCase(headers.name(i))) {
                return true;
            }
        }
        return false;
    }
}
