package dev.ron.kernel.call;

/** A question sent over a mailbox; the kernel answers it when nobody else can. */
public record Ask<Q, R>(Q question, Reply<R> reply) {

    public static <Q, R> Ask<Q, R> of(Q question) {
        return new Ask<>(question, new Reply<>());
    }
}
