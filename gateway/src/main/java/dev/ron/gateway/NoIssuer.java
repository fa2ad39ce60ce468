package dev.ron.gateway;

/** A route needs a token which nobody that is trusted could issue: it would refuse everything. */
public final class NoIssuer extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    NoIssuer(String route) {
        super("gateway.routes." + route + " needs a token, and no issuer is trusted");
    }

    public String advice() {
        return "run the passport office in this node (node.services), name another with gateway.auth.keys_url, or open the"
                + " route: auth = \"none\"";
    }
}
