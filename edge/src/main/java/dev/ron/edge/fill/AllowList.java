package dev.ron.edge.fill;

import java.net.IDN;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Hosts that may be fetched from: {@code host}, {@code host:port} or {@code *.suffix}; everything else may not. */
public final class AllowList {
    private static final int HTTPS = 443;

    private final List<Entry> entries;

    private record Entry(String host, int port, boolean below) {}

    public AllowList(List<String> texts) {
        entries = texts.stream().map(AllowList::entry).flatMap(Optional::stream).toList();
    }

    private static Optional<Entry> entry(String text) {
        int colon = text.lastIndexOf(':');
        boolean below = text.startsWith("*.");
        String name = text.substring(below ? 2 : 0, colon < 0 ? text.length() : colon);
        String digits = colon < 0 ? String.valueOf(HTTPS) : text.substring(colon + 1);
        Optional<String> host = normal(name);
        return host.isPresent() && digits.matches("\\d{1,5}")
                ? Optional.of(new Entry(host.get(), Integer.parseInt(digits), below))
                : Optional.empty();
    }

    public boolean allows(String host, int port) {
        Optional<String> name = normal(host);
        return name.isPresent()
                && entries.stream()
                        .anyMatch(entry -> entry.port() == port
                                && (entry.below()
                                        ? name.get().endsWith("." + entry.host())
                                        : name.get().equals(entry.host())));
    }

    /** One spelling for one name; addresses in any notation, and what is no name, have none. */
    static Optional<String> normal(String host) {
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        try {
            String ascii = IDN.toASCII(name, IDN.USE_STD3_ASCII_RULES).toLowerCase(Locale.ROOT);
            String last = ascii.substring(ascii.lastIndexOf('.') + 1);
            // A last label of digits, or of hexadecimal digits after 0x, makes some resolver read an address.
            boolean address = last.isEmpty() || last.matches("[0-9]+|0x[0-9a-f]*");
            return address || ascii.length() > 253 ? Optional.empty() : Optional.of(ascii);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
