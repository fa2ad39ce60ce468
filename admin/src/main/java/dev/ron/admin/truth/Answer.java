package dev.ron.admin.truth;

/** What came back from one endpoint of a node. */
public sealed interface Answer {
    String path();

    /** An answer of any status. */
    record Said(String path, int status, long millis, String contentType, String body) implements Answer {
        /** Whether the node simply does not have this endpoint. */
        public boolean absent() {
            return status == 404 || status == 405 || status == 501;
        }

        public boolean ok() {
            return status >= 200 && status < 300;
        }
    }

    /** No answer that can be used. */
    record Failed(String path, Fault fault, String detail, long millis) implements Answer {}

    /** It was not its turn, or there was no time left. */
    record NotAsked(String path) implements Answer {}

    /** Whether the far side is there at all: any status proves it. */
    default boolean reached() {
        return this instanceof Said || (this instanceof Failed f && f.fault() == Fault.TOO_LARGE);
    }
}
