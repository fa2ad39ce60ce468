package dev.ron.http.server;

import dev.ron.http.message.Headers;

/**
 * A request head whose framing is settled: how long the body is, what comes after it, and that there is one Host.
 *
 * <p>The rules are those of RFC 9112 §6 without its tolerance: every field that decides where a message ends may appear
 * once and in one spelling.
 */
final class ParsedHead {
    /** Body lengths that are not numbers. */
    static final long NO_BODY = 0;

    static final long CHUNKED = -1;

    private static final int MAX_LENGTH_DIGITS = 18;
    private static final Refusal HOST = Refusal.framing("exactly one Host field is needed");
    private static final Refusal HOST_SYNTAX = Refusal.framing("the Host field is malformed");
    private static final Refusal LENGTH = Refusal.framing("Content-Length must be one plain number");
    private static final Refusal CODING = Refusal.framing("Transfer-Encoding must be exactly chunked");
    private static final Refusal BOTH = Refusal.framing("Content-Length and Transfer-Encoding exclude each other");

    private final String method;
    private final String target;
    private final boolean http10;
    private final Headers headers;
    private final String host;
    private final long bodyLength;
    private final boolean keepAlive;
    private final boolean expectsContinue;

    /** A request of HTTP/2, whose body ends by itself. */
    static ParsedHead overHttp2(String method, String target, Headers headers, boolean hasBody) {
        ParsedHead head = new ParsedHead(method, target, false, headers);
        boolean unknown = hasBody && !headers.contains("Content-Length");
        return unknown ? new ParsedHead(head, CHUNKED) : hasBody ? head : new ParsedHead(head, NO_BODY);
    }

    private ParsedHead(ParsedHead other, long bodyLength) {
        this.method = other.method;
        this.target = other.target;
        this.http10 = other.http10;
        this.headers = other.headers;
        this.host = other.host;
        this.bodyLength = bodyLength;
        this.keepAlive = other.keepAlive;
        this.expectsContinue = bodyLength != NO_BODY && headers.contains("Expect");
    }

    ParsedHead(String method, String target, boolean http10, Headers headers) {
        this.method = method;
        this.target = target;
        this.http10 = http10;
        this.headers = headers;
        this.host = host();
        this.bodyLength = bodyLength();
        this.keepAlive = !http10 && !headers.hasToken("Connection", "close");
        this.expectsContinue = expectation();
    }

    private String host() {
        int first = headers.indexOf("Host", 0);
        if (first < 0) {
            if (http10) {
                return "";
            }
            throw HOST.exception();
        }
        if (headers.indexOf("Host", first + 1) >= 0) {
            throw HOST.exception();
        }
        String value = headers.value(first);
        if (!Authority.valid(value)) {
            throw HOST_SYNTAX.exception();
        }
        return value;
    }

    private long bodyLength() {
        int coding = headers.indexOf("Transfer-Encoding", 0);
        int length = headers.indexOf("Content-Length", 0);
        if (coding >= 0) {
            if (length >= 0) {
                throw BOTH.exception();
            }
            boolean one = headers.indexOf("Transfer-Encoding", coding + 1) < 0;
            if (http10 || !one || !headers.value(coding).equals("chunked")) {
                throw CODING.exception();
            }
            return CHUNKED;
        }
        if (length < 0) {
            return NO_BODY;
        }
        if (headers.indexOf("Content-Length", length + 1) >= 0) {
            throw LENGTH.exception();
        }
        return number(headers.value(length));
    }

    private static long number(String digits) {
        if (digits.isEmpty() || digits.length() > MAX_LENGTH_DIGITS) {
            throw LENGTH.exception();
        }
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw LENGTH.exception();
            }
            value = 10 * value + digit;
        }
        return value;
    }

    private boolean expectation() {
        int at = headers.indexOf("Expect", 0);
        if (at < 0 || http10) {
            return false;
        }
        if (headers.indexOf("Expect", at + 1) >= 0 || !headers.value(at).equalsIgnoreCase("100-continue")) {
            throw Refusal.EXPECTATION.exception();
        }
        return bodyLength != NO_BODY;
    }

    String method() {
        return method;
    }

    /** The request target as sent. */
    String target() {
        return target;
    }

    boolean http10() {
        return http10;
    }

    Headers headers() {
        return headers;
    }

    /** The value of Host; empty only where an HTTP/1.0 client sent none. */
    String authority() {
        return host;
    }

    /** {@link #CHUNKED}, {@link #NO_BODY} or the number of bytes. */
    long length() {
        return bodyLength;
    }

    boolean hasBody() {
        return bodyLength != NO_BODY;
    }

    boolean keepAlive() {
        return keepAlive;
    }

    boolean expectsContinue() {
        return expectsContinue;
    }
}
