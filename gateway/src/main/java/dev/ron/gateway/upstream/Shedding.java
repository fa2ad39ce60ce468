package dev.ron.gateway.upstream;

/** Whether an upstream's writes are shed; set by one task, read by every loop. */
public final class Shedding {
    private volatile boolean on;
    private volatile String why = "";

    public boolean on() {
        return on;
    }

    public String why() {
        return why;
    }

    public void set(boolean shed, String reason) {
        why = reason;
        on = shed;
    }
}
