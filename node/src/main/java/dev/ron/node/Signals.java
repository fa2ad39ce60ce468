package dev.ron.node;

import dev.ron.kernel.task.Shutdown;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the terminal and the operating system may ask of a node.
 *
 * <p>SIGTERM and the first SIGINT drain; further SIGTERMs change nothing; a second SIGINT stops at once. SIGHUP reloads.
 * A JVM shutdown hook would run unordered and force the exit code, so signals are handled directly.
 */
final class Signals {
    private Signals() {}

    static void handle(Shutdown shutdown, Runnable reload) {
        AtomicInteger interrupts = new AtomicInteger();
        on("TERM", () -> shutdown.request("sigterm", "SIGTERM"));
        on("HUP", reload);
        on("INT", () -> {
            if (interrupts.incrementAndGet() == 1) {
                shutdown.request("sigint", "SIGINT");
            } else {
                shutdown.abortNow("sigint");
            }
        });
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
