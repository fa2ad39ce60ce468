package dev.ron.admin.expose;

/**
 * Takes samples from the parser, in the order of the text.
 *
 * <p>A scrape repeats the series of the one before it. So a sink may remember a series by the hash of its text and is
 * then spared names and labels: {@link #known} is asked first, and {@link #sample} only for a series it does not know.
 */
public interface SampleSink {

    /** Whether a line of this name is of interest; others cost no more than finding their end. */
    boolean wants(byte[] text, int from, int to, int lineEnd);

    /** A sample of a series by the hash of its text; false where the sink has not seen it before. */
    boolean known(long series, double value);

    void sample(long series, String name, Labels labels, double value);

    /** The type of a family, as {@code # TYPE} says. */
    void type(String family, String type);
}
