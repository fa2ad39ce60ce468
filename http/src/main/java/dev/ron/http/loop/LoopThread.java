package dev.ron.http.loop;

import dev.ron.kernel.sync.NonBlockingThread;
import io.netty.util.concurrent.FastThreadLocalThread;

/** The thread of an event loop; the kernel's blocking points refuse to run on it. */
final class LoopThread extends FastThreadLocalThread implements NonBlockingThread {

    LoopThread(Runnable loop, String name) {
        super(loop, name);
        setDaemon(false);
    }
}
