package dev.ron.passport.office;

import dev.ron.passport.client.Client;
import dev.ron.passport.kms.KeyRing;
import dev.ron.token.crypto.Sha256;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.Revocations;
import dev.ron.token.keys.Tenants;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Everything the office has acknowledged, as one immutable snapshot.
 *
 * @param seq the number of the last revocation
 * @param due floors that are still to rise, the first one first
 * @param clients by the prefix of their keys
 * @param keyState the same facts as a verifier sees them
 * @param jwks the published keys, as they are sent
 */
public record OfficeState(
        String issuer,
        long epoch,
        long seq,
        Revocations revocations,
        List<JournalEntry.FloorDue> due,
        KeyRing ring,
        Map<String, Client> clients,
        KeyState keyState,
        String jwks,
        String jwksTag) {

    static OfficeState of(
            String issuer,
            long epoch,
            long seq,
            Revocations revocations,
            List<JournalEntry.FloorDue> due,
            KeyRing ring,
            Map<String, Client> clients) {
        String jwks = JwkSet.write(ring.published(), epoch, revocations.globalFloor());
        return new OfficeState(
                issuer,
                epoch,
                seq,
                revocations,
                due.stream()
                        .filter(floor -> floor.epoch() > revocations.globalFloor())
                        .sorted(Comparator.comparingLong(JournalEntry.FloorDue::at))
                        .toList(),
                ring,
                Map.copyOf(clients),
                KeyState.of(IssuerState.of(issuer, ring.published(), revocations, Tenants.ALL)),
                jwks,
                tag(jwks));
    }

    /** The entity tag of a published text. */
    public static String tag(String text) {
        return "\"" + HexFormat.of().formatHex(Sha256.ofAscii(text)) + "\"";
    }
}
