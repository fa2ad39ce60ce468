package dev.ron.kernel.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The threads of this process, virtual ones included, without those the JDK and the test runner keep for themselves. */
final class LiveThreads {
    private static final Pattern HEADER = Pattern.compile("^#(\\d+) \"(.*?)\"(?: (virtual))?.*$", Pattern.MULTILINE);
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
        Matcher header = HEADER.matcher(dump());
        while (header.find()) {
            boolean virtual = header.group(3) != null;
            if (POLLER.matcher(header.group(2)).matches()) {
                continue;
            }
            if (virtual || !KEPT.matcher(header.group(2)).matches()) {
                result.put(Long.valueOf(header.group(1)), header.group(2) + (virtual ? " (virtual)" : ""));
            }
        }
        return result;
    }

    // Only a thread dump knows the virtual threads that somebody started by hand.
    private static String dump() {
        Path file = null;
        try {
            file = Files.createTempFile("threads", ".txt");
            Files.delete(file);
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (file != null) {
                file.toFile().delete();
            }
        }
    }
}
