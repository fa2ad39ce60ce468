package dev.ron.gateway.config;

import dev.ron.token.Refused;
import dev.ron.token.caveat.Cidr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A list of networks that an address is in or not. */
public final class Networks {
    private final List<Cidr> all = new ArrayList<>();

    public Networks(List<String> texts) {
        for (String text : texts) {
            try {
                all.add(Cidr.parse(text));
            } catch (Refused e) {
                throw new IllegalArgumentException(text + ": not a network", e);
            }
        }
    }

    static boolean isNetwork(String text) {
        try {
            Cidr.parse(text);
            return true;
        } catch (Refused _) {
            return false;
        }
    }

    public boolean contain(SocketAddress peer) {
        return !all.isEmpty() && peer instanceof InetSocketAddress at && contain(at.getAddress());
    }

    private boolean contain(InetAddress address) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).contains(address)) {
                return true;
            }
        }
        return false;
    }
}
