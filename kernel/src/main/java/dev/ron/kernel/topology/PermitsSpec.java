package dev.ron.kernel.topology;

/** A bound on how many do something at once. */
public record PermitsSpec(String name, int limit, String of) implements Part {

    public PermitsSpec {
        Part.requireName(name);
    }

    public PermitsSpec of(String what) {
        return new PermitsSpec(name, limit, what);
    }

    /** The same bound with the limit of the configuration. */
    public PermitsSpec limit(int configured) {
        return new PermitsSpec(name, configured, of);
    }
}
