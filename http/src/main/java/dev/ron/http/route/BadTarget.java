package dev.ron.http.route;

/** A request target that is refused with 400 before anything is matched; it carries no stack, since clients cause it. */
public final class BadTarget extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadTarget(String detail) {
        super(detail, null, false, false);
    }
}
