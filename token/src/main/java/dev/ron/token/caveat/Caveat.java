package dev.ron.token.caveat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One restriction. A token allows a request only if every caveat of every block holds; there is no "or", no "not". */
public sealed interface Caveat {
    /** The type name on the wire. */
    String type();

    /** Not after this second. */
    record Expires(long at) implements Caveat {
        @Override
        public String type() {
            return "exp";
        }
    }

    /** Not before this second. */
    record NotBefore(long at) implements Caveat {
        @Override
        public String type() {
            return "nbf";
        }
    }

    /** Only at these services. */
    record Audience(List<String> services) implements Caveat {
        @Override
        public String type() {
            return "aud";
        }
    }

    /** Only for these operations. */
    record Scope(List<String> operations) implements Caveat {
        /** The operations that all scopes among these name; empty where none of them is a scope, which is no limit. */
        public static Optional<List<String>> common(List<Caveat> caveats) {
            return caveats.stream()
                    .filter(Scope.class::isInstance)
                    .map(caveat ->
                            ((Scope) caveat).operations().stream().distinct().toList())
                    .reduce((one, other) -> one.stream().filter(other::contains).toList());
        }

        @Override
        public String type() {
            return "scope";
        }
    }

    /** Only with these HTTP methods. */
    record Method(List<String> methods) implements Caveat {
        @Override
        public String type() {
            return "method";
        }
    }

    /** Only at or below these paths. */
    record Path(List<PathPrefix> prefixes) implements Caveat {
        @Override
        public String type() {
            return "path";
        }
    }

    /** Only for this tenant. */
    record Tenant(String id) implements Caveat {
        @Override
        public String type() {
            return "tenant";
        }
    }

    /** Only from these networks. */
    record Ip(List<Cidr> networks) implements Caveat {
        @Override
        public String type() {
            return "ip";
        }
    }

    /** Request bodies of at most this many bytes. */
    record Bytes(long max) implements Caveat {
        @Override
        public String type() {
            return "bytes";
        }
    }

    /** At most this many requests per second, counted by the host. */
    record Rate(long perSecond, long burst) implements Caveat {
        @Override
        public String type() {
            return "rate";
        }
    }

    /** At most this many requests or body bytes in total, counted by the host. */
    record Budget(OptionalLong requests, OptionalLong bytes) implements Caveat {
        @Override
        public String type() {
            return "budget";
        }
    }

    /** Only together with a proof of this key. */
    record Bind(Binding key) implements Caveat {
        @Override
        public String type() {
            return "bind";
        }
    }

    /** A type this version does not know: kept so that it can be shown, and never allowed. */
    record Unknown(String type) implements Caveat {}
}
