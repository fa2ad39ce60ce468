package dev.ron.http.route;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;

/** A request target that is refused with 400 before anything is matched. */
public final class BadTarget extends RonException {
    private static final long serialVersionUID = 1L;

    BadTarget(String detail) {
        super(Code.BAD_REQUEST, "malformed", detail);
    }
}
