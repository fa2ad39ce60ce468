package dev.ron.token;

/** Why a token is refused; {@link #wire()} is the stable word used in answers, logs and metric labels. */
public enum Reason {
    MALFORMED(Kind.IDENTITY, "the text is not a well-formed token"),
    TOO_LARGE(Kind.IDENTITY, "the token is longer than this verifier accepts"),
    TOO_MANY_BLOCKS(Kind.IDENTITY, "the token carries more attenuation blocks than allowed"),
    TOO_MANY_CAVEATS(Kind.IDENTITY, "the token carries more caveats than allowed"),
    WRONG_TYPE(Kind.IDENTITY, "the token is of another type, for example an ID token"),
    ALG_REFUSED(Kind.IDENTITY, "the signature algorithm is not allowed here"),
    WEAK_KEY(Kind.IDENTITY, "a public key is of small order or not canonical"),
    UNKNOWN_KID(Kind.IDENTITY, "the signing key is not known or no longer in use"),
    BAD_SIGNATURE(Kind.IDENTITY, "a signature does not match"),
    BAD_CHAIN(Kind.IDENTITY, "the blocks do not follow one another"),
    BAD_PROOF(Kind.IDENTITY, "the proof does not open the last block; a block may have been removed"),
    PQ_MISSING(Kind.IDENTITY, "a post-quantum signature is required and missing"),
    PQ_INVALID(Kind.IDENTITY, "the post-quantum signature does not match or its key is unknown"),
    WRONG_ISSUER(Kind.IDENTITY, "the issuer is not trusted here"),
    EXPIRED(Kind.IDENTITY, "the token has expired"),
    NOT_YET_VALID(Kind.IDENTITY, "the token is not valid yet"),
    EPOCH_FLOOR(Kind.IDENTITY, "the token's epoch has been revoked"),
    REVOKED(Kind.IDENTITY, "the token, its subject or its key has been revoked"),
    STALE_STATE(Kind.AVAILABILITY, "revocations have not been refreshed for too long to decide"),
    OVERLOADED(Kind.AVAILABILITY, "too many unseen tokens to check right now"),
    WRONG_AUDIENCE(Kind.PERMISSION, "the token is meant for another service"),
    WRONG_TENANT(Kind.PERMISSION, "the token belongs to another tenant, or its issuer may not speak for that tenant"),
    WRONG_CLIENT(Kind.PERMISSION, "the client the token was issued to is not allowed here"),
    CAV_AUD(Kind.PERMISSION, "a caveat limits the token to other services"),
    CAV_SCOPE(Kind.PERMISSION, "a caveat limits the token to other operations"),
    CAV_METHOD(Kind.PERMISSION, "a caveat limits the token to other methods"),
    CAV_PATH(Kind.PERMISSION, "a caveat limits the token to other paths"),
    CAV_TENANT(Kind.PERMISSION, "a caveat limits the token to another tenant"),
    CAV_IP(Kind.PERMISSION, "a caveat limits the token to other addresses"),
    CAV_BYTES(Kind.PERMISSION, "the body is larger than a caveat allows"),
    CAV_RATE(Kind.PERMISSION, "the rate a caveat allows is used up"),
    CAV_BUDGET(Kind.PERMISSION, "the budget a caveat allows is used up"),
    CAV_BIND(Kind.PERMISSION, "the token is bound to a key that the request does not prove"),
    CAV_UNKNOWN(Kind.PERMISSION, "a caveat is of a type this verifier does not know"),
    NOT_ATTENUABLE(Kind.REQUEST, "the token is sealed or final, so no block can be added");

    /** What the refusal is about, which decides the status a host answers with. */
    public enum Kind {
        /** Who is asking is not established: 401. */
        IDENTITY,
        /** Who is asking is known and may not do this: 403. */
        PERMISSION,
        /** The verifier cannot decide now: 503, or 429 for {@link #OVERLOADED}. */
        AVAILABILITY,
        /** The caller asked for something this token cannot do: 400. */
        REQUEST
    }

    private final Kind kind;
    private final String sentence;
    private final String wire;

    Reason(Kind kind, String sentence) {
        this.kind = kind;
        this.sentence = sentence;
        this.wire = name().toLowerCase(java.util.Locale.ROOT);
    }

    public Kind kind() {
        return kind;
    }

    public String wire() {
        return wire;
    }

    public String sentence() {
        return sentence;
    }
}
