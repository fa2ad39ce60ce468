package dev.ron.kernel.meter;

/** Where the kernel and its hosts report what they count; the service frame binds it to Prometheus. */
public interface Meter {

    /** Resolves a counter once; keep the handle, do not look it up per event. An unlabelled family passes "", "". */
    Count counter(String family, String label, String value);

    default Count counter(String family) {
        return counter(family, "", "");
    }

    /** Resolves a histogram of seconds once. */
    Timing timing(String family, String label, String value);

    /** A handle to one counter. */
    interface Count {
        void add(long n);

        default void increment() {
            add(1);
        }
    }

    /** A handle to one histogram of durations. */
    interface Timing {
        void record(long nanos);
    }

    /** Counts nothing. */
    static Meter none() {
        return NoMeter.INSTANCE;
    }
}
