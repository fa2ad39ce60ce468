package dev.ron.http.decode;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import dev.ron.http.decode.DecodeFailure.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The content codings that are undone here. */
public enum ContentCoding {
    GZIP,
    /** The zlib format, as RFC 9110 defines the word; bare deflate data is refused, it could be read in two ways. */
    DEFLATE,
    BR,
    ZSTD;

    /** The word in {@code Content-Encoding}. */
    public String token() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The coding named by all Content-Encoding lines of a message, empty for none or identity; unknown and stacked
     * codings are refused.
     */
    public static Optional<ContentCoding> of(List<String> headerLines) {
        String value = String.join(",", headerLines).strip();
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "", "identity" -> Optional.empty();
            case "gzip", "x-gzip" -> Optional.of(GZIP);
            case "deflate" -> Optional.of(DEFLATE);
            case "br" -> Optional.of(BR.orRefused());
            case "zstd" -> Optional.of(ZSTD);
            default ->
                throw new DecodeFailure(
                        Kind.ENCODING, "content coding not supported (expected: one of gzip, deflate, br, zstd)");
        };
    }

    private ContentCoding orRefused() {
        if (!Brotli4jLoader.isAvailable()) {
            throw new DecodeFailure(Kind.ENCODING, "content coding br is not available on this machine");
        }
        return this;
    }

    Codec open() {
        return switch (this) {
            case GZIP -> new GzipCodec();
            case DEFLATE -> new ZlibCodec();
            case BR -> {
                orRefused(); // also what loads the native library
                yield new BrotliCodec();
            }
            case ZSTD -> new ZstdCodec();
        };
    }
}
