package dev.ron.registry.keys;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.StrictBase64;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.sign.Algorithm;
import dev.ron.ledger.sign.Ed25519SigningKey;
import dev.ron.ledger.sign.MlDsaKey;
import dev.ron.ledger.sign.MlDsaSigningKey;
import dev.ron.ledger.sign.SigningKey;
import dev.ron.ledger.sign.VerifyKey;
import dev.ron.service.config.Secret;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a signer holds: an Ed25519 key and, for a hybrid signer, an ML-DSA-65 key.
 *
 * <p>As a file it is JSON with the public halves in the clear and the private ones sealed; the public part is
 * authenticated with it, so a key cannot be passed off under another name.
 */
public record SignerKey(String signerId, Ed25519SigningKey ed25519, Optional<MlDsaSigningKey> mlDsa) {
    private static final String TAG = "registry.signer_key/v1";

    public static SignerKey generate(String signerId, boolean hybrid, SecureRandom random) {
        return new SignerKey(
                signerId,
                Ed25519SigningKey.generate(random),
                hybrid ? Optional.of(MlDsaSigningKey.generate(random)) : Optional.empty());
    }

    /** {@code org:acme#ann} is of the organisation acme. */
    public static String orgOf(String signerId) {
        int hash = signerId.indexOf('#');
        if (!signerId.startsWith("org:") || hash < 0) {
            throw new IllegalArgumentException(signerId + " (expected: org:NAME#WHO)");
        }
        return signerId.substring(4, hash);
    }

    public SigningKey[] signing() {
        return mlDsa.isPresent() ? new SigningKey[] {ed25519, mlDsa.get()} : new SigningKey[] {ed25519};
    }

    /** As a signer set lists it. */
    public Signer signer() {
        return Signer.active(
                signerId,
                orgOf(signerId),
                Arrays.stream(signing()).map(SigningKey::verifyKey).toArray(VerifyKey[]::new));
    }

    /** The file. */
    public byte[] seal(Secret passphrase, SecureRandom random) {
        byte[] salt = new byte[SealedBox.SALT_BYTES];
        random.nextBytes(salt);
        ObjWriter secrets = new ObjWriter().put("ed25519", StrictBase64.encode(ed25519.seed()));
        mlDsa.ifPresent(key -> secrets.put("ml-dsa-65", StrictBase64.encode(key.pkcs8())));
        byte[] plain = CanonicalJson.bytes(secrets.end());
        Json.Obj open = open();
        byte[] sealed =
                SealedBox.of(passphrase, salt, SealedBox.Cost.DEFAULT).seal(plain, CanonicalJson.bytes(open), random);
        Arrays.fill(plain, (byte) 0);
        return CanonicalJson.bytes(new ObjWriter()
                .put("t", TAG)
                .put("public", open)
                .put("kdf", SealedBox.Cost.DEFAULT.toJson())
                .put("salt", StrictBase64.encode(salt))
                .put("sealed", StrictBase64.encode(sealed))
                .end());
    }

    private Json.Obj open() {
        ObjWriter out = new ObjWriter()
                .put("signer_id", signerId)
                .put("ed25519", StrictBase64.encode(ed25519.verifyKey().bytes()));
        mlDsa.ifPresent(
                key -> out.put("ml-dsa-65", StrictBase64.encode(key.verifyKey().bytes())));
        return out.end();
    }

    /** Opens a file; a wrong passphrase and a changed file look the same. */
    public static SignerKey open(byte[] file, Secret passphrase) throws Refused {
        Fields fields = Fields.of(StrictJson.HASHED.read(trim(file), "key file"), "key file")
                .tag(TAG);
        Json.Obj open = fields.one("public", Fields::object);
        SealedBox.Cost cost = fields.one("kdf", SealedBox.Cost::fromJson);
        byte[] salt = StrictBase64.decode(fields.string("salt"), SealedBox.SALT_BYTES, "key file salt");
        byte[] sealed = StrictBase64.decode(fields.string("sealed"), "key file");
        byte[] plain = SealedBox.of(passphrase, salt, cost).open(sealed, CanonicalJson.bytes(open));
        Fields secrets = Fields.of(StrictJson.HASHED.read(plain, "key file"), "key file");
        Ed25519SigningKey ed25519 =
                Ed25519SigningKey.ofSeed(StrictBase64.decode(secrets.string("ed25519"), 32, "key file"));
        Optional<String> pkcs8 = secrets.optionalString("ml-dsa-65");
        Fields known = Fields.of(open, "key file");
        String signerId = known.string("signer_id");
        Optional<MlDsaSigningKey> mlDsa = Optional.empty();
        if (pkcs8.isPresent()) {
            byte[] raw = StrictBase64.decode(known.string("ml-dsa-65"), Algorithm.ML_DSA_65.keyBytes(), "key file");
            mlDsa = Optional.of(
                    MlDsaSigningKey.of(StrictBase64.decode(pkcs8.get(), "key file"), MlDsaKey.of(raw, "key file")));
        }
        Optional<MlDsaSigningKey> second = mlDsa;
        return fields.build(() -> new SignerKey(signerId, ed25519, second));
    }

    /** The public half of a file, without its passphrase. */
    public static Signer publicPart(byte[] file) throws Refused {
        Fields fields = Fields.of(StrictJson.HASHED.read(trim(file), "key file"), "key file")
                .tag(TAG);
        Fields open = Fields.of(fields.one("public", Fields::object), "key file");
        String signerId = open.string("signer_id");
        VerifyKey ed25519 =
                VerifyKey.of(Algorithm.ED25519, StrictBase64.decode(open.string("ed25519"), "key file"), "key file");
        Optional<String> second = open.optionalString("ml-dsa-65");
        VerifyKey[] keys = second.isPresent()
                ? new VerifyKey[] {
                    ed25519,
                    VerifyKey.of(Algorithm.ML_DSA_65, StrictBase64.decode(second.get(), "key file"), "key file")
                }
                : new VerifyKey[] {ed25519};
        return Fields.checked("key file", () -> Signer.active(signerId, orgOf(signerId), keys));
    }

    private static byte[] trim(byte[] file) {
        return new String(file, StandardCharsets.UTF_8).strip().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "key of " + signerId;
    }
}
