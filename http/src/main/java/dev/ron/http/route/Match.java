package dev.ron.http.route;

/** What a router found for a method and a path. */
public sealed interface Match<H> {

    /** The handler, the template that matched (for labels) and the values of its names. */
    record Found<H>(H handler, PathTemplate template, PathParams params) implements Match<H> {}

    /** The path is served, but not with this method: 405. {@code allow} is the value of the Allow header. */
    record WrongMethod<H>(String allow) implements Match<H> {}

    /** Nothing is served here: 404. */
    record NoRoute<H>() implements Match<H> {}
}
