package dev.ron.passport.issue;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import dev.ron.passport.policy.PolicyDesk;
import dev.ron.passport.policy.PolicyReader;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** One worker of the issuance pool: takes orders until there will be no more. */
public final class IssuanceWorker {
    private final Mailbox<Ask<Order, Minted>> orders;
    private final Minter minter;
    private final PolicyDesk desk;
    private final Supplier<Deadline> drainLimit;
    private final BiConsumer<Order, Minted> beforeRelease;

    /**
     * @param drainLimit until when what is queued may be finished; far away while the process runs
     * @param beforeRelease sees each token before anyone else does, and may refuse
     */
    public IssuanceWorker(
            Mailbox<Ask<Order, Minted>> orders,
            Minter minter,
            PolicyDesk desk,
            Supplier<Deadline> drainLimit,
            BiConsumer<Order, Minted> beforeRelease) {
        this.orders = orders;
        this.minter = minter;
        this.desk = desk;
        this.drainLimit = drainLimit;
        this.beforeRelease = beforeRelease;
    }

    public void run(TaskScope scope) throws Exception {
        PolicyReader policy = scope.own(new PolicyReader(desk, scope.name()));
        while (true) {
            Optional<Delivery<Ask<Order, Minted>>> next = orders.receive(Deadline.never(scope.clock()));
            if (next.isEmpty()) {
                return;
            }
            next.get().handle(ask -> serve(ask, policy));
        }
    }

    private void serve(Ask<Order, Minted> ask, PolicyReader policy) throws Exception {
        // The order's deadline, or the end of the drain where that is sooner.
        CallContext limited = CallContext.current().withDeadline(drainLimit.get());
        try {
            Minted minted = limited.call(() -> minter.mint(ask.question(), policy.next()));
            beforeRelease.accept(ask.question(), minted);
            ask.reply().complete(minted);
        } catch (RonException refused) {
            // An answer like any other; only a defect is the supervisor's business.
            ask.reply().fail(refused);
        }
    }
}
