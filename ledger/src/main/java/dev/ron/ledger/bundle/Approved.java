package dev.ron.ledger.bundle;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import java.util.List;
import java.util.Optional;

/**
 * Whether a quorum approved a descriptor's content.
 *
 * <p>A state root is computed by the log's writer, and no signer signs it; so a current value counts only when one of the
 * bundle's approved change sets says the same.
 */
final class Approved {
    private Approved() {}

    static void mustHave(List<Step> steps, Descriptor descriptor) throws Refused {
        boolean approved = switch (descriptor.state()) {
            case PUBLISHED -> anySays(steps, descriptor);
            case REMOVED -> descriptor.content().body().members().isEmpty() && anySays(steps, descriptor);
            // Deprecating carries no content, so the revision before it must be approved as well.
            case DEPRECATED -> anySays(steps, descriptor) && anySays(steps, before(descriptor));
        };
        if (!approved) {
            throw new Refused(
                    Reason.INCOMPLETE,
                    "value " + descriptor.id() + ": no approved change in the bundle makes it revision "
                            + descriptor.rev() + " as it is");
        }
    }

    private static Descriptor before(Descriptor deprecated) {
        return new Descriptor(deprecated.id(), deprecated.rev() - 1, Descriptor.State.PUBLISHED, deprecated.content());
    }

    private static boolean anySays(List<Step> steps, Descriptor descriptor) {
        return steps.stream().anyMatch(step -> says(step.artifact().payload().body(), descriptor));
    }

    private static boolean says(Body body, Descriptor descriptor) {
        return switch (body) {
            case Body.Change(var ops) -> ops.stream().anyMatch(op -> says(op, descriptor));
            case Body.Supersede(var _, var _, var ops) -> ops.stream().anyMatch(op -> says(op, descriptor));
            // A whole set names no revisions: its base binds it, so what it lists is current and the rest is gone.
            case Body.ReplaceAll(var _, var items) ->
                lists(items, descriptor).orElse(descriptor.state() == Descriptor.State.REMOVED);
            case Body.Genesis genesis ->
                descriptor.rev() == 1 && lists(genesis.items(), descriptor).orElse(false);
            case Body.Rotate _ -> false;
        };
    }

    private static boolean says(Op op, Descriptor descriptor) {
        if (!op.id().equals(descriptor.id()) || op.expectRev() + 1 != descriptor.rev()) {
            return false;
        }
        return switch (op) {
            case Op.Put put -> isPublished(descriptor, put.draft());
            case Op.Deprecate _ -> descriptor.state() == Descriptor.State.DEPRECATED;
            case Op.Remove _ -> descriptor.state() == Descriptor.State.REMOVED;
        };
    }

    private static Optional<Boolean> lists(List<Item> items, Descriptor descriptor) {
        return items.stream()
                .filter(item -> item.id().equals(descriptor.id()))
                .findFirst()
                .map(item -> isPublished(descriptor, item.draft()));
    }

    private static boolean isPublished(Descriptor descriptor, Draft draft) {
        return descriptor.state() == Descriptor.State.PUBLISHED
                && descriptor.content().equals(draft);
    }
}
