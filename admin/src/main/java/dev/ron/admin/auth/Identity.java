package dev.ron.admin.auth;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who asks.
 *
 * @param byCookie whether a browser sent the proof by itself, so that the request must also prove where it comes from
 */
public record Identity(
        String subject,
        String displayName,
        Set<Role> roles,
        List<String> groups,
        Optional<Instant> expiresAt,
        boolean byCookie) {

    /** The words of the roles, least first; each role includes those before it. */
    public List<String> roleWords() {
        Set<Role> all = new TreeSet<>();
        for (Role role : Role.values()) {
            if (roles.stream().anyMatch(mine -> mine.includes(role))) {
                all.add(role);
            }
        }
        return all.stream().map(Role::word).toList();
    }

    public boolean has(Role least) {
        return roles.stream().anyMatch(role -> role.includes(least));
    }
}
