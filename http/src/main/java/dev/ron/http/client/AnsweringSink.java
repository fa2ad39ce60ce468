package dev.ron.http.client;

import dev.ron.kernel.call.Reply;

/** A sink that answers a waiting caller when the response is over. */
interface AnsweringSink extends ResponseSink {
    Reply<ClientResponse> reply();
}
