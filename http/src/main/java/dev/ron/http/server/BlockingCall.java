package dev.ron.http.server;

import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.TaskBody;
import dev.ron.kernel.task.TaskScope;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a blocking handler: over to a virtual thread with the whole request, and back with the whole answer. */
final class BlockingCall implements TaskBody, Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(BlockingCall.class);

    private final ServerExchange exchange;
    private final BlockingHandler handler;
    private final Request request;
    // Set by the virtual thread, read by the loop; a thread that was not seen yet finds the exchange over by itself.
    private volatile @Nullable Thread thread;
    private volatile boolean canceled;
    // Written before the hop to the loop, which orders them.
    private @Nullable Response response;
    private @Nullable RonException failure;
    private boolean panicked;

    BlockingCall(ServerExchange exchange, BlockingHandler handler, Request request) {
        this.exchange = exchange;
        this.handler = handler;
        this.request = request;
    }

    /** On the virtual thread. */
    @Override
    public void run(TaskScope scope) {
        thread = Thread.currentThread();
        if (!canceled) {
            try {
                response = request.context().call(() -> handler.handle(request));
            } catch (RonException refused) {
                failure = refused;
            } catch (InterruptedException stopped) {
                failure = Refusal.STOPPED.exception();
            } catch (Throwable defect) {
                failed(defect);
            }
        }
        try {
            exchange.loop().execute(this);
        } catch (RejectedExecutionException stopped) {
            LOG.debug("the loop has ended before {}", request);
        }
    }

    private void failed(Throwable defect) {
        if (canceled) {
            return; // broken off by the interrupt: nobody waits for it
        }
        if (defect instanceof VirtualMachineError fatal && !(defect instanceof StackOverflowError)) {
            throw fatal;
        }
        panicked = true;
        LOG.error(
                "handler of {} failed, corr_id {}",
                exchange.route(),
                request.context().corrId(),
                defect);
    }

    /** Back on the loop. */
    @Override
    public void run() {
        thread = null;
        if (panicked) {
            exchange.panicked();
        } else if (failure != null) {
            exchange.fail(failure);
        } else if (response != null) {
            exchange.respond(response);
        } else if (!canceled) {
            exchange.panicked(); // a handler that returned null
        }
    }

    /** On the loop: the answer is no longer wanted. */
    void cancel() {
        canceled = true;
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }
}
