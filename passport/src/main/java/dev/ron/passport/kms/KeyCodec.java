package dev.ron.passport.kms;

import dev.ron.service.config.Secret;
import dev.ron.token.Refused;
import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.ForeignKey;
import dev.ron.token.crypto.MlDsaKey;
import dev.ron.token.crypto.VerifyingKey;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.CanonicalJson;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import dev.ron.token.json.StrictJson;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keys as the keystore seals them. */
final class KeyCodec {
    static final int MAX_KEYS = 1024;

    private static final int MAX_BYTES = 4 << 20;
    private static final long MAX = (1L << 53) - 1;

    private KeyCodec() {}

    static byte[] write(KeyRing ring) {
        List<Json> keys = ring.keys().stream().map(KeyCodec::toJson).toList();
        return CanonicalJson.write(new Json.Obj(Map.of("keys", new Json.Arr(keys))))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static Json toJson(KmsKey key) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("pur", new Json.Str(key.purpose().wire()));
        members.put("state", new Json.Str(key.status().name()));
        members.put("pub", new Json.Str(encoded(key.key())));
        members.put("secret", new Json.Str(key.secret().use(Base64Url::encode)));
        members.put("created", new Json.Int(key.created()));
        members.put("from", new Json.Int(key.from()));
        if (key.until() != Long.MAX_VALUE) {
            members.put("until", new Json.Int(key.until()));
        }
        return new Json.Obj(members);
    }

    private static String encoded(VerifyingKey key) {
        return switch (key) {
            case Ed25519Key ed -> ed.encoded();
            case MlDsaKey mlDsa -> mlDsa.encoded();
            case ForeignKey ec -> ec.x() + ec.y();
        };
    }

    static KeyRing parse(byte[] plain) throws Refused {
        Members members = new Members(StrictJson.FOREIGN.object(plain, MAX_BYTES, "keys"), "keys");
        List<KmsKey> keys = new ArrayList<>();
        for (Json item : members.array("keys", 0, MAX_KEYS)) {
            if (!(item instanceof Json.Obj object)) {
                throw members.wrong("keys", "must hold objects");
            }
            keys.add(key(new Members(object, "key")));
        }
        members.end();
        return new KeyRing(keys);
    }

    private static KmsKey key(Members members) throws Refused {
        Purpose purpose =
                Purpose.of(members.string("pur", 1, 16)).orElseThrow(() -> members.wrong("pur", "is not known"));
        KeyStatus status = KeyStatus.valueOf(members.string("state", 1, 16));
        String pub = members.string("pub", 1, 8192);
        VerifyingKey key = switch (purpose) {
            case PCT_PQ -> MlDsaKey.of(Base64Url.decode(pub, "pub"));
            case JWT_ES256 -> ForeignKey.p256(pub.substring(0, pub.length() / 2), pub.substring(pub.length() / 2));
            case PCT, JWT, FEED -> Ed25519Key.ofIssuer(Base64Url.decode(pub, "pub"));
        };
        Secret secret = Secret.of(Base64Url.decode(members.string("secret", 0, 8192), "secret"));
        KmsKey parsed = new KmsKey(
                purpose,
                status,
                key,
                secret,
                members.integer("created", 0, MAX),
                members.integer("from", 0, MAX),
                members.optionalInteger("until", 0, MAX).orElse(Long.MAX_VALUE));
        members.end();
        return parsed;
    }
}
