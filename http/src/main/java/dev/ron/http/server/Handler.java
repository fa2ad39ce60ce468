package dev.ron.http.server;

/** What answers the requests of a route, on a virtual thread or on the event loop. */
public sealed interface Handler permits BlockingHandler, StreamHandler {}
