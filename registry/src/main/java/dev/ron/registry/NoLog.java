package dev.ron.registry;

/** There is no log to serve, and none may be made without its signers. */
public final class NoLog extends Exception {
    private static final long serialVersionUID = 1L;

    public NoLog(String folder) {
        super("there is no log in " + folder);
    }

    public String advice() {
        return "make one with ./ron registry init, or leave the registry out: node.services";
    }
}
