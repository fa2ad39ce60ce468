package dev.ron.passport.kms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.service.config.Secret;
import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.ForeignKey;
import dev.ron.token.crypto.MlDsaKey;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Base64Url;
import dev.ron.token.keys.Purpose;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileKeystoreTest {
    private static final Secret PASSPHRASE = Secret.of("correct horse");

    @TempDir
    Path folder;

    private final SecureRandom random = new SecureRandom();
    private final KeyRing ring = KeyRing.EMPTY.withFirst(List.of(Purpose.values()), 1_800_000_000L, random);

    private FileKeystore store(Secret passphrase) {
        return new FileKeystore(folder.resolve("keystore.json"), passphrase, random);
    }

    @Test
    void keysComeBackAndStillSign() throws Exception {
        store(PASSPHRASE).save(new Keystore.Content(3, 7, ring));
        Keystore.Content back = store(PASSPHRASE).load().orElseThrow();
        assertThat(back).isEqualTo(new Keystore.Content(3, 7, ring));
        byte[] message = "hello".getBytes(StandardCharsets.UTF_8);
        SigningEngine engine = SigningEngine.local(Signatures.portable());
        KmsKey pct = back.ring().active(Purpose.PCT);
        assertThat(Signatures.portable().verify((Ed25519Key) pct.key(), message, engine.sign(pct, message)))
                .isTrue();
        KmsKey es256 = back.ring().active(Purpose.JWT_ES256);
        assertThat(((ForeignKey) es256.key()).verify("ES256", message, engine.sign(es256, message)))
                .isTrue();
        KmsKey pq = back.ring().active(Purpose.PCT_PQ);
        assertThat(((MlDsaKey) pq.key()).verify(message, engine.sign(pq, message)))
                .isTrue();
    }

    // the file is read once | the passphrase is gone | it is read again  ->  the key that was derived from it opens it
    @Test
    void theKeyIsDerivedOnceHoweverOftenTheFileIsRead() throws Exception {
        store(PASSPHRASE).save(new Keystore.Content(1, 0, ring));
        Secret passphrase = Secret.of("correct horse");
        FileKeystore store = store(passphrase);
        store.load();
        passphrase.close();
        assertThat(store.load()).contains(new Keystore.Content(1, 0, ring));
    }

    @Test
    void theFileIsForItsOwnerOnlyAndHoldsNoKeyInTheClear() throws Exception {
        store(PASSPHRASE).save(new Keystore.Content(1, 0, ring));
        Path file = folder.resolve("keystore.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        String text = Files.readString(file);
        for (KmsKey key : ring.keys()) {
            String secret = key.secret().use(Base64Url::encode);
            assertThat(text).doesNotContain(secret);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> store(PASSPHRASE).load())
                .isInstanceOf(CannotOpen.class)
                .hasMessageContaining("rw-r-----");
    }

    @Test
    void aWrongPassphraseOrAChangedHeaderDoesNotOpen() throws Exception {
        store(PASSPHRASE).save(new Keystore.Content(2, 0, ring));
        assertThatThrownBy(() -> store(Secret.of("wrong")).load()).isInstanceOf(CannotOpen.class);
        Path file = folder.resolve("keystore.json");
        replace(file, "\"seq\":2", "\"seq\":9");
        assertThatThrownBy(() -> store(PASSPHRASE).load())
                .isInstanceOf(CannotOpen.class)
                .hasMessageContaining("does not open");
        replace(file, "\"seq\":9", "\"sqe\":9");
        assertThatThrownBy(() -> store(PASSPHRASE).load()).isInstanceOf(CannotOpen.class);
    }

    // one bit anywhere, in the header, the key material or the tag  ->  it does not open
    @Test
    void aChangedBitAnywhereDoesNotOpen() throws Exception {
        store(PASSPHRASE).save(new Keystore.Content(2, 0, ring));
        Path file = folder.resolve("keystore.json");
        byte[] good = Files.readAllBytes(file);
        for (int i = 0; i < 24; i++) {
            byte[] bad = good.clone();
            bad[(int) ((long) i * (good.length - 1) / 23)] ^= 1;
            Files.write(file, bad);
            assertThatThrownBy(() -> store(PASSPHRASE).load()).as("part %d", i).isInstanceOf(CannotOpen.class);
        }
        Files.write(file, good);
        assertThat(store(PASSPHRASE).load()).isPresent();
    }

    private static void replace(Path file, String from, String to) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(from);
        Files.writeString(file, text.replace(from, to));
    }
}
