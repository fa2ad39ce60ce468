package dev.ron.kernel.channel;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;

/** An item with the context of its sender. */
public final class Delivery<T> {
    private final T item;
    private final CallContext sender;
    private final Mailbox<T> mailbox;
    /** Its number in the order of all deliveries; written before the ring shows it to anyone. */
    long place;

    Delivery(T item, CallContext sender, Mailbox<T> mailbox) {
        this.item = item;
        this.sender = sender;
        this.mailbox = mailbox;
    }

    /** Stands for the end of a mailbox; it never leaves it. */
    @SuppressWarnings("NullAway") // it carries no item, and nobody asks it for one
    static <T> Delivery<T> end(Mailbox<T> mailbox) {
        return new Delivery<>(null, CallContext.current(), mailbox);
    }

    /** What a receiver does with an item. */
    @FunctionalInterface
    public interface Body<T> {
        void handle(T item) throws Exception;
    }

    public T item() {
        return item;
    }

    public CallContext sender() {
        return sender;
    }

    /**
     * Runs the body under the sender's context; an item whose deadline has passed is dropped instead. Where the body
     * fails and the item is an {@link Ask}, the question is answered before the failure goes on to the supervisor.
     */
    public void handle(Body<? super T> body) throws Exception {
        if (sender.deadline().expired()) {
            mailbox.drop(this, Dropped.Cause.EXPIRED);
            return;
        }
        try {
            sender.call(() -> {
                body.handle(item);
                return item;
            });
        } catch (Throwable failure) {
            if (item instanceof Ask<?, ?> ask) {
                ask.reply().fail(answer(failure));
            }
            throw failure;
        }
    }

    private RonException answer(Throwable failure) {
        return switch (failure) {
            case RonException known -> known;
            case InterruptedException _ -> new Canceled(mailbox.spec().name());
            default -> new RonException(Code.INTERNAL, "internal", "the worker failed", null, failure);
        };
    }
}
