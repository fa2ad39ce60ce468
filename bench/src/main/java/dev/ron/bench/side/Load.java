package dev.ron.bench.side;

import java.io.IOException;

/** What asks a server, as fast as it answers, for some seconds. */
public interface Load {
    Result run(String url) throws IOException, InterruptedException;

    int seconds();

    /** The same for another time. */
    Load lasting(int otherSeconds);

    /**
     * A rate, its 99th percentile, and how many requests went wrong.
     *
     * @param idle how much of the time the load itself had nothing to do; NaN where that is not known
     */
    record Result(double perSecond, double p99Millis, long errors, double idle) {}
}
