package dev.ron.http.decode;

/** One coding being undone, a slice at a time: feed, read until nothing comes, feed again. */
interface Codec extends AutoCloseable {

    /** Gives the next piece of input; everything fed before has been read out. The bytes stay unchanged until then. */
    void feed(byte[] slice, int length);

    /** Decodes up to {@code length} bytes; 0 means that more input is needed, or that the end was reached. */
    int read(byte[] out, int length);

    /** True if the input so far is a whole stream: the body may end here. */
    boolean complete();

    @Override
    void close();
}
