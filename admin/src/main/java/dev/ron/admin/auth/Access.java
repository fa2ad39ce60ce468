package dev.ron.admin.auth;

/** Who may use a route. */
public enum Access {
    /** Anybody, also without an identity: the whole surface of which is a handful of routes. */
    OPEN("nobody in particular"),
    /** Anybody with an identity, whatever the role. */
    ANY("any identity"),
    VIEWER("viewer"),
    OPERATOR("operator"),
    ADMIN("admin");

    private final String words;

    Access(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }

    /** Whether someone with these roles may. */
    public boolean allows(java.util.Set<Role> roles) {
        return switch (this) {
            case OPEN, ANY -> true;
            case VIEWER -> has(roles, Role.VIEWER);
            case OPERATOR -> has(roles, Role.OPERATOR);
            case ADMIN -> has(roles, Role.ADMIN);
        };
    }

    private static boolean has(java.util.Set<Role> roles, Role least) {
        return roles.stream().anyMatch(role -> role.includes(least));
    }
}
