package dev.ron.node.cert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/**
 * The files of a development authority in one folder: {@code ca.pem}, {@code ca.key} and what it has signed.
 *
 * <p>The authority is made once and stays, so that who trusts it need not do so again for every new certificate.
 */
public final class DevCertificates {
    private final Path folder;
    private final Instant now;

    public DevCertificates(Path folder, Instant now) {
        this.folder = folder;
        this.now = now;
    }

    public Path authority() {
        return folder.resolve("ca.pem");
    }

    public Path certificate() {
        return folder.resolve("cert.pem");
    }

    public Path key() {
        return folder.resolve("key.pem");
    }

    /** Makes {@code cert.pem} and {@code key.pem} for these hosts, and the authority where there is none. */
    public void server(List<String> hosts) throws IOException {
        try {
            KeyPair own = DevAuthority.newKey();
            byte[] der = open().server(own, hosts);
            write(key(), "PRIVATE KEY", own.getPrivate().getEncoded(), "rw-------");
            write(certificate(), "CERTIFICATE", der, "rw-r--r--");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("P-256 is missing from this Java", e);
        }
    }

    /** Makes {@code <name>.pem} and {@code <name>.key} for a client. */
    public void client(String name) throws IOException {
        try {
            KeyPair own = DevAuthority.newKey();
            byte[] der = open().client(own, name);
            write(folder.resolve(name + ".key"), "PRIVATE KEY", own.getPrivate().getEncoded(), "rw-------");
            write(folder.resolve(name + ".pem"), "CERTIFICATE", der, "rw-r--r--");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("P-256 is missing from this Java", e);
        }
    }

    private DevAuthority open() throws IOException, GeneralSecurityException {
        Files.createDirectories(folder);
        Path keyFile = folder.resolve("ca.key");
        if (Files.exists(keyFile) && Files.exists(authority())) {
            String pem = Files.readString(keyFile).replaceAll("-----[A-Z ]+-----", "");
            PrivateKey kept = KeyFactory.getInstance("EC")
                    .generatePrivate(
                            new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
            return new DevAuthority(kept, now);
        }
        KeyPair own = DevAuthority.newKey();
        DevAuthority made = new DevAuthority(own.getPrivate(), now);
        write(keyFile, "PRIVATE KEY", own.getPrivate().getEncoded(), "rw-------");
        write(authority(), "CERTIFICATE", made.root(own), "rw-r--r--");
        return made;
    }

    /** The file has its mode before it has its content, and appears whole. */
    private static void write(Path file, String label, byte[] der, String mode) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Path temp = file.resolveSibling(file.getFileName() + ".tmp");
        Files.deleteIfExists(temp);
        Files.createFile(temp, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)));
        Files.writeString(temp, "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n");
        Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
