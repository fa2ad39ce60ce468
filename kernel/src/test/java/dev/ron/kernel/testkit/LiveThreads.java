package dev.ron.kernel.testkit;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The threads of this process, virtual ones included, without those the JDK and the test runner keep for themselves. */
final class LiveThreads {
    private static final Pattern KEPT = Pattern.compile(
            "main|Reference Handler|Finalizer|Signal Dispatcher|Service Thread|Monitor Deflation Thread|Notification Thread"
                    + "|C[12] CompilerThread.*|Common-Cleaner|Cleaner-\\d+|ForkJoinPool.*|VirtualThread-.*|.*-Poller|.*Pollers"
                    + "|Attach Listener|process reaper.*|surefire.*|junit.*|jqwik.*|HttpClient-.*|Keep-Alive-Timer"
                    + "|globalEventExecutor-.*|DestroyJavaVM|Native reference cleanup thread|Java2D.*|RMI .*|JFR.*");

    // Where virtual threads wait for sockets the JDK keeps pollers, some of them virtual themselves.
    private static final Pattern POLLER = Pattern.compile("MasterPoller|SubPoller-\\d+");

    private LiveThreads() {}

    /** Name by identifier. */
    static Map<Long, String> now() {
        Map<Long, String> result = new TreeMap<>();
        all().filter(thread -> !POLLER.matcher(thread.getName()).matches())
                .filter(thread ->
                        thread.isVirtual() || !KEPT.matcher(thread.getName()).matches())
                .forEach(thread ->
                        result.put(thread.threadId(), thread.getName() + (thread.isVirtual() ? " (virtual)" : "")));
        return result;
    }

    // Only the JDK's own books know the virtual threads that somebody started by hand. A thread dump reads them too,
    // but to
    // look at a virtual thread that is just going on ends the whole JVM now and then (ShouldNotReachHere in JDK
    // 25.0.3).
    private static Stream<Thread> all() {
        try {
            return in(Class.forName("jdk.internal.vm.ThreadContainers")
                    .getMethod("root")
                    .invoke(null));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("run with --add-exports java.base/jdk.internal.vm=ALL-UNNAMED", e);
        }
    }

    private static Stream<Thread> in(Object container) {
        return Stream.concat(
                listed(container, "threads").map(Thread.class::cast),
                listed(container, "children").flatMap(LiveThreads::in));
    }

    private static Stream<?> listed(Object container, String what) {
        try {
            return (Stream<?>) Class.forName("jdk.internal.vm.ThreadContainer")
                    .getMethod(what)
                    .invoke(container);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
