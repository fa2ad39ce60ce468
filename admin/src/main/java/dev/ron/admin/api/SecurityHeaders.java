package dev.ron.admin.api;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;

/** What every answer of the console carries, so that a page of ours can do nothing but what we wrote. */
final class SecurityHeaders {
    static final String CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src"
            + " 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors"
            + " 'none'; require-trusted-types-for 'script'";

    private SecurityHeaders() {}

    static Response on(Response response, boolean secure) {
        Headers.Builder headers = response.headers().toBuilder()
                .add("Content-Security-Policy", CSP)
                .add("X-Frame-Options", "DENY")
                .add("X-Content-Type-Options", "nosniff")
                .add("Referrer-Policy", "no-referrer")
                .add("Cross-Origin-Opener-Policy", "same-origin")
                .add("Cross-Origin-Resource-Policy", "same-origin")
                .add("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=()");
        if (secure) {
            headers.add("Strict-Transport-Security", "max-age=31536000");
        }
        return Response.of(response.status(), headers.build(), response.body());
    }
}
