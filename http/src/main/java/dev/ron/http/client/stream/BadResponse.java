package dev.ron.http.client.stream;

/** Bytes that are no strict HTTP/1.1 response; without a stack trace, because a hostile far side decides how often. */
final class BadResponse extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadResponse(String what) {
        super(what, null, false, false);
    }

    static void unless(boolean good, String otherwise) {
        if (!good) {
            throw new BadResponse(otherwise);
        }
    }
}
