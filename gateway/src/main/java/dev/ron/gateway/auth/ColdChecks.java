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
 */
public final class ColdChecks {
    private static final Logger LOG = LoggerFactory.getLogger(ColdChecks.class);
    private static final int WAITING = 512;
    private static final int ROOTS = 4096;
    private static final int TAKEN_IN_AT_ONCE = 64;

    /** New signatures a second below one root, and at once. */
    static final int PER_ROOT = 200;

    private final Mailbox<ColdCase> box;
    private final Clock clock;
    // The thread's own.
    private final FairLine<Object, ColdCase> line = new FairLine<>(WAITING);
    private final Map<String, TokenBucket> roots = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TokenBucket> eldest) {
            return size() > ROOTS;
        }
    };

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
            ColdCase next = line.poll();
            if (next != null) {
                work(next);
            }
        }
        for (ColdCase left = line.poll(); left != null; left = line.poll()) {
            left.answer(new Verdict.Denied(new RonException(Code.DRAINING, "draining", "the service is stopping")));
        }
    }

    /** Sorts what has come into its lines; waits only when there is nothing to do. False at the end. */
    private boolean takeIn(TaskScope scope) {
        for (int i = 0; i < TAKEN_IN_AT_ONCE; i++) {
            Optional<Delivery<ColdCase>> next =
                    line.isEmpty() ? box.receive(Deadline.never(scope.clock())) : box.tryReceive();
            if (next.isEmpty()) {
                return !line.isEmpty() || !box.finished();
            }
            file(next.get().item());
        }
        return true;
    }

    private void file(ColdCase one) {
        Verdict.@Nullable Payer payer = one.step().payer();
        if (payer != null && !pays(payer)) {
            one.answer(Verifier.overloaded());
            return;
        }
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
