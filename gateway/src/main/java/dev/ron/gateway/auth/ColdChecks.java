package dev.ron.gateway.auth;

import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks signatures that were not seen before, on one thread of its own, in turn between those who cause them.
 *
 * <p>Anyone who holds a token can make new ones from it without end. So the issuer's own signature is checked first, in
 * the name of the address it came from; what follows is charged to that root's bucket and waits in its tenant's line.
 * What the bucket cannot pay for is asked again a little later before it is refused: a refusal at once would only bring
 * the next token, and the loops would have time for nothing else.
 */
public final class ColdChecks {
    private static final Logger LOG = LoggerFactory.getLogger(ColdChecks.class);
    private static final int WAITING = 512;
    private static final int ROOTS = 4096;
    private static final int TAKEN_IN_AT_ONCE = 64;

    /** New signatures a second below one root, and at once. */
    static final int PER_ROOT = 200;

    /** How long a check waits for the bucket of its root; at most as many do as wait in the lines. */
    static final Duration PATIENCE = Duration.ofMillis(500);

    private final Mailbox<ColdCase> box;
    private final Clock clock;
    // The thread's own.
    private final FairLine<Object, ColdCase> line = new FairLine<>(WAITING);
    private final ArrayDeque<Unpaid> unpaid = new ArrayDeque<>();
    private final Map<String, TokenBucket> roots = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TokenBucket> eldest) {
            return size() > ROOTS;
        }
    };

    private record Unpaid(ColdCase one, Verdict.Payer payer, Deadline until) {}

    public ColdChecks(Mailbox<ColdCase> box, Clock clock) {
        this.box = box;
        this.clock = clock;
    }

    void submit(ColdCase one) {
        if (box.trySend(one) != Sent.ACCEPTED) {
            one.answer(Verifier.overloaded());
        }
    }

    /** The body of the verifying task. */
    public void run(TaskScope scope) {
        while (takeIn(scope)) {
            askAgain();
            ColdCase next = line.poll();
            if (next != null) {
                work(next);
            }
        }
        unpaid.forEach(left -> left.one().drained());
        for (ColdCase left = line.poll(); left != null; left = line.poll()) {
            left.drained();
        }
    }

    /** Sorts what has come into its lines; waits only when there is nothing to do. False at the end. */
    private boolean takeIn(TaskScope scope) {
        for (int i = 0; i < TAKEN_IN_AT_ONCE; i++) {
            Optional<Delivery<ColdCase>> next = line.isEmpty() ? box.receive(untilAskedAgain(scope)) : box.tryReceive();
            if (next.isEmpty()) {
                return !line.isEmpty() || !box.finished();
            }
            file(next.get().item());
        }
        return true;
    }

    private void file(ColdCase one) {
        Verdict.@Nullable Payer payer = one.step().payer();
        if (payer == null || pays(payer)) {
            line(one, payer);
        } else if (unpaid.size() < WAITING) {
            unpaid.add(new Unpaid(one, payer, Deadline.after(clock, PATIENCE)));
        } else {
            one.answer(Verifier.overloaded());
        }
    }

    private Deadline untilAskedAgain(TaskScope scope) {
        Unpaid first = unpaid.peek();
        return first == null ? Deadline.never(scope.clock()) : first.until();
    }

    private void askAgain() {
        for (Unpaid first = unpaid.peek(); first != null && first.until().expired(); first = unpaid.peek()) {
            unpaid.remove();
            if (pays(first.payer())) {
                line(first.one(), first.payer());
            } else {
                first.one().answer(Verifier.overloaded());
            }
        }
    }

    private void line(ColdCase one, Verdict.@Nullable Payer payer) {
        Object key = payer == null ? one.source() : payer.issuer() + '\n' + payer.tenant();
        ColdCase out = line.add(key, one);
        if (out != null) {
            out.answer(Verifier.overloaded());
        }
    }

    private boolean pays(Verdict.Payer payer) {
        TokenBucket bucket = roots.computeIfAbsent(
                payer.issuer() + '\n' + payer.rootId(), key -> new TokenBucket(clock, PER_ROOT, PER_ROOT));
        for (int i = 0; i < payer.signatures(); i++) {
            if (bucket.tryTake() > 0) {
                return false;
            }
        }
        return true;
    }

    private void work(ColdCase one) {
        Verdict result;
        try {
            result = one.step().next().get();
        } catch (RuntimeException e) {
            LOG.error("a token could not be checked", e);
            result = new Verdict.Denied(new RonException(Code.INTERNAL, ""));
        }
        if (result instanceof Verdict.Cold further) {
            one.step(further);
            file(one);
        } else {
            one.answer(result);
        }
    }
}
