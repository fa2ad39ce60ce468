package dev.ron.http.decode;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;

/** A coded body that was refused. */
public final class DecodeFailure extends RonException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** Why; a service that spells a reason in its own way maps this. */
    public enum Kind {
        /** More came out than the absolute cap. */
        CAP(Code.DECODE_BOMB, "decoded_cap"),
        /** More came out per byte in than the ratio allows. */
        RATIO(Code.DECODE_BOMB, "decoded_ratio"),
        /** The coding is unknown, not available here, or one of several. */
        ENCODING(Code.UNSUPPORTED_ENCODING, "encoding"),
        /** The bytes do not follow the coding, end too early, or go on after its end. */
        MALFORMED(Code.PARSE_ERROR, "malformed");

        private final Code code;
        private final String reason;

        Kind(Code code, String reason) {
            this.code = code;
            this.reason = reason;
        }
    }

    DecodeFailure(Kind kind, String detail) {
        super(kind.code, kind.reason, detail);
        this.kind = kind;
    }

    static DecodeFailure malformed(String detail) {
        return new DecodeFailure(Kind.MALFORMED, detail);
    }

    public Kind kind() {
        return kind;
    }
}
