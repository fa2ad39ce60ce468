package dev.ron.token.verify;

import dev.ron.token.pct.Chain;

/**
 * How far the check of one presented token has come.
 *
 * <p>The steps are separate because their costs are: {@link TokenVerifier#read} never checks a signature and may run on
 * an event loop; {@link RootUnproven#proveRoot()} costs one or two checks and tells who the issuer says this is; only
 * then is there someone to charge for {@link BlocksUnproven#proveBlocks()}, whose blocks a holder can make offline
 * without end.
 */
public sealed interface Stage {
    /** The end: refused. */
    record Denied(Decision.Deny why) implements Stage {}

    /** Passed the cheap rules; the issuer's signature has not been seen before. Nothing in it is to be believed yet. */
    final class RootUnproven implements Stage {
        private final Presented presented;

        RootUnproven(Presented presented) {
            this.presented = presented;
        }

        /** Checks the issuer's signatures. */
        public Stage proveRoot() {
            return presented.proveRoot();
        }
    }

    /** The issuer's word is proven; some holder's signatures are not. */
    final class BlocksUnproven implements Stage {
        private final Presented presented;
        private final int proven;

        BlocksUnproven(Presented presented, int proven) {
            this.presented = presented;
            this.proven = proven;
        }

        /** Whom to charge: the cold bucket is per root. */
        public String tokenId() {
            return presented.chain().claims().jti();
        }

        public String issuer() {
            return presented.chain().claims().iss();
        }

        public String tenant() {
            return presented.chain().claims().tenant();
        }

        /** How many signatures the next step checks: what to charge. */
        public int signaturesLeft() {
            return presented.chain().blocks().size() - proven;
        }

        /** Checks the holders' signatures. */
        public Stage proveBlocks() {
            return presented.proveBlocks(proven);
        }
    }

    /** Every signature holds; what is left is to judge the request. */
    final class Proven implements Stage {
        private final Presented presented;

        Proven(Presented presented) {
            this.presented = presented;
        }

        public Chain chain() {
            return presented.chain();
        }

        /** Judges every caveat against the request. */
        public Decision decide() {
            return presented.decide(true);
        }

        /** Judges only what needs no request, for introspection: the answer is not a permission. */
        public Decision decideWithoutRequest() {
            return presented.decide(false);
        }
    }
}
