package dev.ron.http.json;

/** Bounds on one document, so that a small body cannot cost much. */
public record JsonLimits(int maxDepth, int maxStringChars, int maxDocumentBytes, int maxTokens) {
    private static final int MIB = 1 << 20;

    /** For request and response bodies: depth 64, 8 MiB (the decode cap), 1 MiB strings. */
    public static final JsonLimits DEFAULT = new JsonLimits(64, MIB, 8 * MIB, MIB);

    static final int MAX_NAME_CHARS = 1024;
    static final int MAX_NUMBER_CHARS = 128;
}
