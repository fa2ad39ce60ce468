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
import java.util.function.Supplier;

/** One worker of the issuance pool: takes orders until there will be no more. */
public final class IssuanceWorker {
    private final Mailbox<Ask<Order, Minted>> orders;
    private final Minter minter;
    private final PolicyDesk desk;
    private final Supplier<Deadline> drainLimit;

    /** @param drainLimit until when what is queued may be finished; far away while the process runs */
    public IssuanceWorker(
            Mailbox<Ask<Order, Minted>> orders, Minter minter, PolicyDesk desk, Supplier<Deadline> drainLimit) {
        this.orders = orders;
        this.minter = minter;
        this.desk = desk;
        this.drainLimit = drainLimit;
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
            ask.reply().complete(limited.call(() -> minter.mint(ask.question(), policy.next())));
        } catch (RonException refused) {
            // An answer like any other; only a defect is the supervisor's business.
            ask.reply().fail(refused);
        }
    }
}
