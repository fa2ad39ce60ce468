package dev.ron.http.server;

import java.util.ArrayList;
import java.util.List;

/** Requests that must be refused, each with its answer; after every one of them the connection ends. */
public final class MalformedRequests {
    private static final String HOST = "Host: x\r\n";

    private final List<Case> cases = new ArrayList<>();

    /** A name, what is sent, and the status that must come back. */
    public record Case(String name, String bytes, int status) {
        @Override
        public String toString() {
            return name;
        }
    }

    public static List<Case> all() {
        MalformedRequests table = new MalformedRequests();
        table.requestLines();
        table.fields();
        table.hosts();
        table.lengths();
        table.codings();
        table.chunks();
        table.targets();
        table.sizes();
        return table.cases;
    }

    private void add(String name, int status, String bytes) {
        cases.add(new Case(name, bytes, status));
    }

    private void line(String name, int status, String requestLine) {
        add(name, status, requestLine + HOST + "\r\n");
    }

    private void post(String name, int status, String fieldsAndBody) {
        add(name, status, "POST /echo HTTP/1.1\r\n" + HOST + fieldsAndBody);
    }

    private void chunked(String name, String chunks) {
        post(name, 400, "Transfer-Encoding: chunked\r\n\r\n" + chunks);
    }

    private void requestLines() {
        line("no version", 400, "GET /echo\r\n");
        line("lower-case version", 400, "GET /echo http/1.1\r\n");
        line("version with more digits", 400, "GET /echo HTTP/1.10\r\n");
        line("version without minor", 400, "GET /echo HTTP/1\r\n");
        line("HTTP/1.2", 505, "GET /echo HTTP/1.2\r\n");
        line("HTTP/2.0", 505, "GET /echo HTTP/2.0\r\n");
        line("HTTP/0.9 with version", 505, "GET /echo HTTP/0.9\r\n");
        add("HTTP/2 preface", 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        line("two spaces after the method", 400, "GET  /echo HTTP/1.1\r\n");
        line("two spaces before the version", 400, "GET /echo  HTTP/1.1\r\n");
        line("tab after the method", 400, "GET\t/echo HTTP/1.1\r\n");
        line("space after the version", 400, "GET /echo HTTP/1.1 \r\n");
        line("space before the method", 400, " GET /echo HTTP/1.1\r\n");
        line("method that is no token", 400, "G(T /echo HTTP/1.1\r\n");
        line("empty target", 400, "GET  HTTP/1.1\r\n");
        line("NUL in the target", 400, "GET /ec\0ho HTTP/1.1\r\n");
        line("CR in the target", 400, "GET /ec\rho HTTP/1.1\r\n");
        line("DEL in the target", 400, "GET /ec\177ho HTTP/1.1\r\n");
        line("upper half in the target", 400, "GET /\u00e9 HTTP/1.1\r\n");
        line("bare LF after the request line", 400, "GET /echo HTTP/1.1\n");
        add("bare LF everywhere", 400, "GET /echo HTTP/1.1\nHost: x\n\n");
        add("two empty lines first", 400, "\r\n\r\nGET /echo HTTP/1.1\r\n" + HOST + "\r\n");
        add("bare LF first", 400, "\nGET /echo HTTP/1.1\r\n" + HOST + "\r\n");
        add("TLS on a plain port", 400, "\026\003\001\002\000\001\000\001\374\003\003");
    }

    private void fields() {
        post("space before the colon", 400, "X-A : 1\r\n\r\n");
        post("tab before the colon", 400, "X-A\t: 1\r\n\r\n");
        post("folded value", 400, "X-A: 1\r\n 2\r\n\r\n");
        post("folded value with a tab", 400, "X-A: 1\r\n\t2\r\n\r\n");
        post("folded length", 400, "Content-Length:\r\n 5\r\n\r\nhello");
        add("fold before the first field", 400, "GET /echo HTTP/1.1\r\n Host: x\r\n\r\n");
        post("no colon", 400, "X-A\r\n\r\n");
        post("empty name", 400, ": 1\r\n\r\n");
        post("name that is no token", 400, "X(A): 1\r\n\r\n");
        post("NUL in a value", 400, "X-A: a\0b\r\n\r\n");
        post("NUL in a name", 400, "X\0A: b\r\n\r\n");
        post("bare CR in a value", 400, "X-A: a\rb\r\n\r\n");
        post("bare LF ends a field", 400, "X-A: a\nX-B: b\r\n\r\n");
        post("control character in a value", 400, "X-A: a\001b\r\n\r\n");
        post("vertical tab before a value", 400, "Content-Length:\0135\r\n\r\nhello");
        post("CR without LF at the end", 400, "X-A: a\r\n\rGET");
        post("unknown expectation", 417, "Expect: the worst\r\nContent-Length: 1\r\n\r\n");
    }

    private void hosts() {
        add("no Host", 400, "GET /echo HTTP/1.1\r\n\r\n");
        add("two Hosts", 400, "GET /echo HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n");
        add("two Hosts in two cases", 400, "GET /echo HTTP/1.1\r\nHost: x\r\nhOST: y\r\n\r\n");
        add("empty Host", 400, "GET /echo HTTP/1.1\r\nHost:\r\n\r\n");
        add("Host with a path", 400, "GET /echo HTTP/1.1\r\nHost: x/y\r\n\r\n");
        add("Host with a user", 400, "GET /echo HTTP/1.1\r\nHost: a@x\r\n\r\n");
        add("list of Hosts", 400, "GET /echo HTTP/1.1\r\nHost: x, y\r\n\r\n");
        add("Host with a bad port", 400, "GET /echo HTTP/1.1\r\nHost: x:8o\r\n\r\n");
        add("target contradicts Host", 400, "GET http://y/echo HTTP/1.1\r\nHost: x\r\n\r\n");
        add("target contradicts the port of Host", 400, "GET http://x:81/echo HTTP/1.1\r\nHost: x:82\r\n\r\n");
    }

    private void lengths() {
        post("length and coding", 400, "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        post("coding and length", 400, "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n");
        post("two lengths", 400, "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello");
        post("the same length twice", 400, "Content-Length: 5\r\ncontent-length: 5\r\n\r\nhello");
        post("list of lengths", 400, "Content-Length: 5, 5\r\n\r\nhello");
        post("signed length", 400, "Content-Length: +5\r\n\r\nhello");
        post("negative length", 400, "Content-Length: -5\r\n\r\nhello");
        post("hexadecimal length", 400, "Content-Length: 0x5\r\n\r\nhello");
        post("length with a fraction", 400, "Content-Length: 5.0\r\n\r\nhello");
        post("length with a space inside", 400, "Content-Length: 5 5\r\n\r\nhello");
        post("empty length", 400, "Content-Length:\r\n\r\nhello");
        post("length beyond all numbers", 400, "Content-Length: 99999999999999999999\r\n\r\nhello");
        post("Arabic digits as length", 400, "Content-Length: \u00b2\r\n\r\nhello");
    }

    private void codings() {
        post("unknown coding", 400, "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n");
        post("identity", 400, "Transfer-Encoding: identity\r\n\r\n");
        post("gzip before chunked", 400, "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n");
        post("chunked not last", 400, "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n");
        post("chunked twice", 400, "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n");
        post("two codings", 400, "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        post("quoted chunked", 400, "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n");
        post("chunked with a parameter", 400, "Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n");
        post("chunked in capitals", 400, "Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n");
        post("empty coding", 400, "Transfer-Encoding:\r\n\r\n0\r\n\r\n");
        add("coding in HTTP/1.0", 400, "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    }

    private void chunks() {
        chunked("chunk size that is no number", "x\r\n");
        chunked("signed chunk size", "+1\r\na\r\n0\r\n\r\n");
        chunked("chunk size with prefix", "0x1\r\na\r\n0\r\n\r\n");
        chunked("empty chunk size", "\r\na\r\n0\r\n\r\n");
        chunked("chunk size of nine digits", "000000001\r\na\r\n0\r\n\r\n");
        chunked("chunk size that overflows", "fffffffffffffffff\r\n");
        chunked("space after a chunk size", "1 \r\na\r\n0\r\n\r\n");
        chunked("space before a chunk size", " 1\r\na\r\n0\r\n\r\n");
        chunked("bare LF after a chunk size", "1\na\r\n0\r\n\r\n");
        chunked("CR without LF after a chunk size", "1\rXa\r\n0\r\n\r\n");
        chunked("chunk longer than its size", "1\r\nab\r\n0\r\n\r\n");
        chunked("bare LF after a chunk", "1\r\na\n0\r\n\r\n");
        chunked("CR without LF after a chunk", "1\r\na\rX0\r\n\r\n");
        chunked("long chunk extension", "1;" + "e".repeat(257) + "\r\na\r\n0\r\n\r\n");
        chunked("bare LF in a chunk extension", "1;e\n\r\na\r\n0\r\n\r\n");
        chunked("NUL in a chunk extension", "1;e\0\r\na\r\n0\r\n\r\n");
        chunked("length in a trailer", "0\r\nContent-Length: 5\r\n\r\n");
        chunked("coding in a trailer", "0\r\nTransfer-Encoding: chunked\r\n\r\n");
        chunked("Host in a trailer", "0\r\nhost: y\r\n\r\n");
        chunked("credentials in a trailer", "0\r\nAuthorization: Bearer x\r\n\r\n");
        chunked("folded trailer", "0\r\nX-A: 1\r\n 2\r\n\r\n");
        chunked("space before the colon of a trailer", "0\r\nX-A : 1\r\n\r\n");
        chunked("bare LF after the last chunk", "0\r\n\n");
    }

    private void targets() {
        line("target without a slash", 400, "GET echo HTTP/1.1\r\n");
        line("target of another scheme", 400, "GET ftp://x/echo HTTP/1.1\r\n");
        line("authority of CONNECT", 400, "CONNECT x:443 HTTP/1.1\r\n");
        line("star for GET", 400, "GET * HTTP/1.1\r\n");
        line("fragment in the target", 400, "GET /echo#x HTTP/1.1\r\n");
        line("escaped NUL", 400, "GET /%00 HTTP/1.1\r\n");
        line("escaped slash", 400, "GET /a%2fb HTTP/1.1\r\n");
        line("backslash", 400, "GET /a\\b HTTP/1.1\r\n");
        line("path above the root", 400, "GET /../etc HTTP/1.1\r\n");
        line("dot segment with parameters", 400, "GET /a/..;/b HTTP/1.1\r\n");
        line("broken escape", 400, "GET /%zz HTTP/1.1\r\n");
        line("escape that is no UTF-8", 400, "GET /%c0%af HTTP/1.1\r\n");
    }

    private void sizes() {
        line("request line over 8 KiB", 414, "GET /" + "a".repeat(8 << 10) + " HTTP/1.1\r\n");
        add("request line without an end", 414, "GET /" + "a".repeat(9 << 10));
        post("head over 16 KiB", 431, "X-A: " + "a".repeat(16 << 10) + "\r\n\r\n");
        post("field without an end", 431, "X-A: " + "a".repeat(17 << 10));
        post("101 fields", 431, "X-A: 1\r\n".repeat(100) + "\r\n");
        post("trailer over 16 KiB", 431, "Transfer-Encoding: chunked\r\n\r\n0\r\nX-A: " + "a".repeat(16 << 10));
        post("declared body over the cap", 413, "Content-Length: 1048577\r\n\r\n");
    }
}
