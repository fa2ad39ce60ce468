package dev.ron.passport.kms;

import dev.ron.service.config.Secret;
import dev.ron.token.Refused;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.CanonicalJson;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import dev.ron.token.json.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One file, mode 0600: a readable header that is authenticated, and the keys sealed under it.
 *
 * <p>Used by one thread at a time: the office's writer.
 */
public final class FileKeystore implements Keystore {
    private static final int MAX_BYTES = 4 << 20;
    private static final long MAX = (1L << 53) - 1;
    private static final String FORMAT = "ron-keys-1";

    private final Path file;
    private final Secret passphrase;
    private final SecureRandom random;
    private Optional<Derived> derived = Optional.empty();

    private record Derived(String salt, SealedBox.Cost cost, SealedBox box) {}

    public FileKeystore(Path file, Secret passphrase, SecureRandom random) {
        this.file = file;
        this.passphrase = passphrase;
        this.random = random;
    }

    @Override
    public Optional<Content> load() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        DurableFile.requireOwnerOnly(file);
        try {
            return Optional.of(parse(Files.readAllBytes(file)));
        } catch (Refused e) {
            throw CannotOpen.because(file + " is damaged: " + e.detail(), "restore the folder from a copy");
        }
    }

    private Content parse(byte[] document) throws Refused {
        Members members = new Members(StrictJson.FOREIGN.object(document, MAX_BYTES, "keystore"), "keystore");
        Json.Obj header = members.optionalObject("header").orElseThrow(() -> members.wrong("header", "is missing"));
        StringBuilder sealed = new StringBuilder();
        for (Json piece : members.array("sealed", 1, 1024)) {
            sealed.append(piece instanceof Json.Str(String text) ? text : "");
        }
        members.end();
        Members fields = new Members(header, "keystore header");
        fields.constant("fmt", FORMAT, dev.ron.token.Reason.WRONG_TYPE);
        long seq = fields.integer("seq", 1, MAX);
        long journalSeq = fields.integer("journal_seq", 0, MAX);
        String salt = fields.encoded("salt", SealedBox.SALT_BYTES);
        SealedBox.Cost cost = new SealedBox.Cost(
                (int) fields.integer("argon2id_kib", 1, Integer.MAX_VALUE),
                (int) fields.integer("argon2id_passes", 1, Integer.MAX_VALUE),
                (int) fields.integer("argon2id_lanes", 1, Integer.MAX_VALUE));
        fields.end();
        if (!cost.sane()) {
            throw fields.wrong("argon2id", "asks for too much or too little");
        }
        Optional<Derived> known =
                derived.filter(last -> last.salt().equals(salt) && last.cost().equals(cost));
        Derived opened = known.isPresent()
                ? known.get()
                : new Derived(salt, cost, SealedBox.of(passphrase, Base64Url.decode(salt, "salt"), cost));
        byte[] plain = opened.box().open(Base64Url.decode(sealed.toString(), "sealed"), bytes(header));
        KeyRing ring = KeyCodec.parse(plain);
        derived = Optional.of(opened);
        return new Content(seq, journalSeq, ring);
    }

    @Override
    public void save(Content content) throws IOException {
        Derived now = derived.orElseGet(this::derive);
        derived = Optional.of(now);
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put("fmt", new Json.Str(FORMAT));
        fields.put("seq", new Json.Int(content.seq()));
        fields.put("journal_seq", new Json.Int(content.journalSeq()));
        fields.put("salt", new Json.Str(now.salt()));
        fields.put("argon2id_kib", new Json.Int(now.cost().memoryKib()));
        fields.put("argon2id_passes", new Json.Int(now.cost().passes()));
        fields.put("argon2id_lanes", new Json.Int(now.cost().lanes()));
        Json.Obj header = new Json.Obj(fields);
        byte[] plain = KeyCodec.write(content.ring());
        String sealed = Base64Url.encode(now.box().seal(plain, bytes(header), random));
        java.util.Arrays.fill(plain, (byte) 0);
        // In lines, so that the strict reader's bound on one string holds.
        Json pieces = Json.Arr.ofStrings(java.util.Arrays.asList(sealed.split("(?<=\\G.{4096})")));
        DurableFile.replace(file, bytes(new Json.Obj(Map.of("header", header, "sealed", pieces))));
    }

    private Derived derive() {
        byte[] salt = new byte[SealedBox.SALT_BYTES];
        random.nextBytes(salt);
        SealedBox box = SealedBox.of(passphrase, salt, SealedBox.Cost.DEFAULT);
        return new Derived(Base64Url.encode(salt), SealedBox.Cost.DEFAULT, box);
    }

    private static byte[] bytes(Json json) {
        return CanonicalJson.write(json).getBytes(StandardCharsets.UTF_8);
    }
}
