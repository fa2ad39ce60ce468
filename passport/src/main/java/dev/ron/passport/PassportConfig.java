package dev.ron.passport;

import dev.ron.service.config.Bytes;
import dev.ron.service.config.Change;
import dev.ron.service.config.Check;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Range;
import dev.ron.service.config.Secret;
import dev.ron.service.config.Within;
import dev.ron.service.tls.TlsConfig;
import dev.ron.token.jwt.JwtAlg;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code [passport]}: the office that issues, verifies and revokes capability tokens. */
@Doc("Issues, verifies and revokes capability tokens.")
public record PassportConfig(
        @Doc("The iss of every token; empty means the address of the listener.") @Default("")
        String issuer,

        @Doc("Connections at once.") @Default("1024") @Range(min = 1, max = 65_536)
        int maxConns,

        @Doc("Limit on reading a request.") @Default("5s") @Within(min = "100ms", max = "10m")
        Duration readTimeout,

        @Doc("Limit on an answer that makes no progress.") @Default("5s") @Within(min = "100ms", max = "10m")
        Duration writeTimeout,

        @Doc("Limit on a connection between two requests.") @Default("60s") @Within(min = "100ms", max = "10m")
        Duration idleTimeout,

        @Doc("What is being issued or revoked may finish for so long once the process stops.")
        @Default("5s")
        @Within(min = "0s", max = "60s")
        @OnChange(Change.HOT)
        Duration drainDeadline,

        TlsConfig tls,
        Limits limits,
        Kms kms,
        Registry registry,
        IssuerPolicy issuerPolicy,
        Pq pq,
        Jwt jwt,
        Audit audit) {

    @Check(value = "at most 128 printable ASCII characters: no verifier reads a longer iss", key = "issuer")
    boolean issuerFitsAToken() {
        return issuer.matches("[!-~]{0,128}");
    }

    /** {@code [passport.limits]}. */
    @Doc("What is shed at the door.")
    @OnChange(Change.HOT)
    public record Limits(
            @Doc("Requests per second; 0 means no limit.") @Default("0") @Range(min = 0, max = 1_000_000)
            int rps,

            @Doc("Requests at once; three quarters of them may wait for a signature.")
            @Default("512")
            @Range(min = 32, max = 65_536)
            int inflight,

            @Doc("Largest request body.") @Default("1MiB") @Within(min = "1KiB", max = "8MiB") @OnChange(Change.RESTART)
            Bytes maxBodyBytes,

            @Doc("Most that a compressed body may grow.")
            @Default("10")
            @Range(min = 1, max = 100)
            @OnChange(Change.RESTART)
            int decompressRatioCap,

            @Doc("Tokens in one batch to verify.") @Default("512") @Range(min = 1, max = 4096)
            int maxBatch) {}

    /** {@code [passport.kms]}. */
    @Doc("The signing keys.")
    public record Kms(
            @Doc("Deadline of one signature; it is not tried again.")
            @Default("3s")
            @Within(min = "10ms", max = "30s")
            @OnChange(Change.HOT)
            Duration timeout,

            @Doc("The breaker opens when more than 5 % of the signatures of a minute take longer.")
            @Default("100ms")
            @Within(min = "1ms", max = "30s")
            Duration slo,

            @Doc("Opens the keystore; better kept in a file of mode 0600: passphrase_file.")
            Optional<Secret> passphrase) {}

    /** {@code [passport.registry]}. */
    @Doc("Where the policy comes from when it does not come from this file.")
    public record Registry(
            @Doc("Registry that holds the issuer policy; without one the policy here is complete and never stale.")
            Optional<URI> endpoint,

            @Doc("Hash of the first entry of its log, as ron registry init prints it: whose word counts.") @Default("")
            String genesis,

            @Doc("The descriptor that is the policy.") @Default("passport.policy")
            String policyId,

            @Doc("Certificates that an https endpoint is checked with; without it those that Java trusts.")
            Optional<Path> caFile,

            @Doc("Deadline of one fetch.") @Default("3s") @Within(min = "10ms", max = "30s") @OnChange(Change.HOT)
            Duration timeout,

            @Doc("Time between two fetches, give or take a fifth.")
            @Default("60s")
            @Within(min = "1s", max = "1h")
            @OnChange(Change.HOT)
            Duration interval,

            @Doc("A policy that was not confirmed for so long no longer lets anything be issued.")
            @Default("10m")
            @Within(min = "1m", max = "24h")
            @OnChange(Change.HOT)
            Duration maxAge) {

        @Check(value = "must be b3: and 64 hex digits, as ron registry init prints it", key = "genesis")
        boolean genesisIsAHash() {
            return genesis.matches("(b3:[0-9a-f]{64})?");
        }

        @Check(
                value = "needs passport.registry.genesis: a registry's word counts only for a known log",
                key = "endpoint")
        boolean endpointIsPinned() {
            return endpoint.isEmpty() || !genesis.isEmpty();
        }
    }

    /** {@code [passport.issuer_policy]}. */
    @Doc("What may be issued, and how long keys live.")
    @OnChange(Change.HOT)
    public record IssuerPolicy(
            @Doc("Longest life of a token.") @Default("1h") @Within(min = "1s", max = "24h")
            Duration maxTtl,

            @Doc("Life of a token that asks for none.") @Default("15m") @Within(min = "1s", max = "24h")
            Duration defaultTtl,

            @Doc("Services that tokens may be meant for.")
            @Default("svc-gateway,svc-edge,svc-registry,svc-admin,svc-passport,svc-demo")
            List<String> audiences,

            @Doc("Types of caveats that may be asked for.")
            @Default("exp,nbf,aud,scope,method,path,tenant,ip,bytes,rate,budget,bind")
            List<String> caveats,

            @Doc("Types of caveats that every token must carry.")
            List<String> caveatsRequired,

            CaveatsMax caveatsMax,

            @Doc("Stops issuing; verification goes on.") @Default("false")
            boolean frozen,

            @Doc("Days between two planned rotations of a signing key.") @Default("30") @Range(min = 1, max = 365)
            int rotationDays,

            @Doc("A replaced key stays published at least so long, and a soft move of the epoch takes effect after it.")
            @Default("10m")
            @Within(min = "0s", max = "24h")
            Duration grace,

            @Doc("A new key is published so long before it signs.") @Default("10m") @Within(min = "10m", max = "24h")
            Duration publishAhead) {

        @Check(value = "must not be longer than passport.issuer_policy.max_ttl", key = "default_ttl")
        boolean defaultFits() {
            return defaultTtl.compareTo(maxTtl) <= 0;
        }
    }

    /** {@code [passport.issuer_policy.caveats_max]}. */
    @Doc("The most that a caveat may say.")
    @OnChange(Change.HOT)
    public record CaveatsMax(
            @Doc("Bytes of a request body; 0 means any.") @Default("0B")
            Bytes bytes,

            @Doc("Requests of a budget; 0 means any.") @Default("0") @Range(min = 0, max = 1_000_000_000)
            int budgetReqs,

            @Doc("Bytes of a budget; 0 means any.") @Default("0B")
            Bytes budgetBytes,

            @Doc("Requests per second, and at once; 0 means any.") @Default("0") @Range(min = 0, max = 1_000_000)
            int rateRps) {}

    /** {@code [passport.pq]}. */
    @Doc("Post-quantum signatures (ML-DSA-65) beside the classical ones.")
    @OnChange(Change.HOT)
    public record Pq(
            @Doc("off; hybrid co-signs for clients that accept it; enforce co-signs always and accepts nothing else.")
            @Default("hybrid")
            Mode mode) {}

    /** {@code [passport.jwt]}. */
    @Doc("Access tokens (RFC 9068), for whoever reads no capabilities.")
    @OnChange(Change.HOT)
    public record Jwt(
            @Doc("Signed as EdDSA, as Ed25519 (the newer name of the same), or as ES256 for readers that know neither.")
            @Default("EdDSA")
            String algId) {

        @Check(value = "EdDSA, Ed25519 or ES256", key = "alg_id")
        boolean algIsKnown() {
            return alg().isPresent();
        }

        /** The algorithm of that name. */
        public Optional<JwtAlg> alg() {
            return Stream.of(JwtAlg.EDDSA, JwtAlg.ED25519, JwtAlg.ES256)
                    .filter(alg -> alg.wire().equals(algId))
                    .findFirst();
        }
    }

    /** {@code [passport.audit]}. */
    @Doc("audit.log in the data folder: who had what issued, revoked or changed, as a chain of lines.")
    public record Audit(
            @Doc("Issues nothing that cannot be put on record; the file is then synced with every batch.")
            @Default("false")
            @OnChange(Change.HOT)
            boolean required,

            @Doc("A file that has grown so much moves aside.") @Default("64MiB") @Within(min = "64KiB", max = "1GiB")
            Bytes maxFileBytes,

            @Doc("Files moved aside that stay; beyond them the oldest goes.") @Default("16") @Range(min = 1, max = 1000)
            int keepFiles) {}

    /** How much post-quantum protection. */
    public enum Mode {
        OFF,
        HYBRID,
        ENFORCE
    }
}
