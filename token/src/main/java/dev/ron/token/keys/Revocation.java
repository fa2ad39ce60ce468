package dev.ron.token.keys;

/** One thing an issuer has taken back. */
public sealed interface Revocation {
    /** The longest lifetime a verifier accepts, so the longest a revocation by subject can matter. */
    long MAX_LIFETIME_SECONDS = 24 * 3600;

    /** The largest clock difference any verifier may be set to tolerate. */
    long LARGEST_SKEW_SECONDS = 300;

    /**
     * The last second, by the issuer's clock, at which some verifier could accept what is revoked here. Twice the largest
     * skew past {@code exp}: a verifier accepts that much longer, and its clock may be that much behind.
     */
    long keepUntil();

    /** A token by its id, or the branch that starts with a block by the block's id. */
    record Id(String id, long exp) implements Revocation {
        @Override
        public long keepUntil() {
            return exp + 2 * LARGEST_SKEW_SECONDS;
        }
    }

    /** Every token of a subject issued up to a moment. */
    record Subject(String tenant, String sub, long at) implements Revocation {
        @Override
        public long keepUntil() {
            // The last token it covers was issued as late as "at" plus skew and lives as long as allowed.
            return at + LARGEST_SKEW_SECONDS + MAX_LIFETIME_SECONDS + 2 * LARGEST_SKEW_SECONDS;
        }
    }

    /** Every token of a key. */
    record Key(String kid) implements Revocation {
        @Override
        public long keepUntil() {
            return Long.MAX_VALUE;
        }
    }

    /** Every token of an earlier epoch, of all tenants. */
    record Floor(long epoch) implements Revocation {
        @Override
        public long keepUntil() {
            return Long.MAX_VALUE;
        }
    }

    /** Every token of an earlier epoch, of one tenant. */
    record TenantFloor(String tenant, long epoch) implements Revocation {
        @Override
        public long keepUntil() {
            return Long.MAX_VALUE;
        }
    }
}
