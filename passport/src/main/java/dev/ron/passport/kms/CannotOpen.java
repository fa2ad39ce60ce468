package dev.ron.passport.kms;

/** What the office keeps cannot be used as it is: what is wrong, and what to do. */
public final class CannotOpen extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean rollback;
    private final String advice;

    private CannotOpen(boolean rollback, String problem, String advice) {
        super(problem);
        this.rollback = rollback;
        this.advice = advice;
    }

    public static CannotOpen because(String problem, String advice) {
        return new CannotOpen(false, problem, advice);
    }

    /** The files are older than they were: a revocation or a key may be missing. */
    public static CannotOpen rollback(String problem) {
        return new CannotOpen(true, problem, "restore the newest copy of the whole folder; never one file of it alone");
    }

    public boolean isRollback() {
        return rollback;
    }

    public String advice() {
        return advice;
    }
}
