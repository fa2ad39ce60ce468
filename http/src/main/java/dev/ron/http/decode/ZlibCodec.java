package dev.ron.http.decode;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** The zlib format (RFC 1950), which HTTP calls deflate. */
final class ZlibCodec implements Codec {
    private final Inflater inflater = new Inflater();

    @Override
    public void feed(byte[] slice, int length) {
        if (inflater.finished()) {
            throw DecodeFailure.malformed("bytes after the end of the deflate stream");
        }
        inflater.setInput(slice, 0, length);
    }

    @Override
    public int read(byte[] out, int length) {
        try {
            int n = inflater.inflate(out, 0, length);
            if (inflater.needsDictionary()) {
                throw DecodeFailure.malformed("deflate stream needs a dictionary");
            }
            if (inflater.finished() && inflater.getRemaining() > 0) {
                throw DecodeFailure.malformed("bytes after the end of the deflate stream");
            }
            return n;
        } catch (DataFormatException e) {
            throw DecodeFailure.malformed("not a deflate stream in zlib format");
        }
    }

    @Override
    public boolean complete() {
        return inflater.finished();
    }

    @Override
    public void close() {
        inflater.end();
    }
}
