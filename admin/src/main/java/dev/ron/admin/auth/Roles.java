package dev.ron.admin.auth;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** What groups mean here: the configured map, else a role's own word, also as {@code admin:operator}. */
public final class Roles {
    private static final String SCOPE = "admin:";

    private final Supplier<Map<String, List<String>>> map;

    public Roles(Supplier<Map<String, List<String>>> map) {
        this.map = map;
    }

    public Set<Role> of(Collection<String> groups) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        Map<String, List<String>> configured = map.get();
        for (String group : groups) {
            List<String> words = configured.get(group);
            if (words != null) {
                words.forEach(word -> Role.of(word).ifPresent(roles::add));
            } else {
                Role.of(group.startsWith(SCOPE) ? group.substring(SCOPE.length()) : group)
                        .ifPresent(roles::add);
            }
        }
        return roles;
    }
}
