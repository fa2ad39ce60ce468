package dev.ron.http.client.stream;

import dev.ron.http.message.Headers;

/**
 * The head of a final response, its framing settled.
 *
 * @param length what Content-Length says, also where no body follows (HEAD, 304); {@link #UNKNOWN} otherwise
 * @param bodyless whether nothing follows the head
 * @param atHand how many bytes came with the head: if that is all of the body, it is delivered at once
 */
public record ResponseHead(int status, Headers headers, long length, boolean bodyless, int atHand) {
    public static final long UNKNOWN = -1;
}
