package dev.ron.node;

import dev.ron.kernel.task.Shutdown;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the terminal and the operating system may ask of a node.
 *
 * <p>SIGTERM and the first SIGINT drain; further SIGTERMs change nothing; a second SIGINT stops at once. SIGHUP reloads.
 * A JVM shutdown hook would run unordered and force the exit code, so signals are handled directly. They are caught from
 * the first moment on: what is asked while a node starts is remembered and done once it is up.
 */
public final class Signals {
    private final AtomicInteger interrupts = new AtomicInteger();
    // Written before the node is looked at, as attach() writes the node before it looks here: one of the two sees both.
    private volatile @Nullable String asked;
    private volatile boolean reloadAsked;
    private volatile @Nullable Running running;

    private record Running(Shutdown shutdown, Runnable reload) {}

    private Signals() {}

    /** Catches the signals of this process from here on. */
    public static Signals install() {
        Signals signals = new Signals();
        on("TERM", () -> signals.stop("sigterm"));
        on("INT", signals::interrupt);
        on("HUP", signals::reload);
        return signals;
    }

    /** Hands over what was asked so far, and whatever comes. */
    void attach(Shutdown shutdown, Runnable reload) {
        running = new Running(shutdown, reload);
        String source = asked;
        if (source != null) {
            shutdown.request(source, "asked while starting");
        } else if (reloadAsked) {
            reload.run();
        }
    }

    private void stop(String source) {
        asked = source;
        Running node = running;
        if (node != null) {
            node.shutdown().request(source, source);
        }
    }

    private void interrupt() {
        if (interrupts.incrementAndGet() == 1) {
            stop("sigint");
            return;
        }
        Running node = running;
        if (node == null) {
            Runtime.getRuntime().halt(ExitCode.ABORTED.code()); // nothing was accepted yet
        } else {
            node.shutdown().abortNow("sigint");
        }
    }

    private void reload() {
        reloadAsked = true;
        Running node = running;
        if (node != null) {
            node.reload().run();
        }
    }

    // sun.misc.Signal is the only way to a signal, and naming it is a warning that nothing can suppress: so by
    // reflection.
    private static void on(String name, Runnable action) {
        InvocationHandler call = (proxy, method, arguments) -> {
            if (method.getDeclaringClass() != Object.class) {
                action.run();
                return null;
            }
            return method.invoke(action, arguments);
        };
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handler}, call);
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM does not let SIG" + name + " be handled", e);
        }
    }
}
