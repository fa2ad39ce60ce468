package dev.ron.service.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.management.VirtualThreadSchedulerMXBean;

/** What the Java process itself uses; the beans are looked up at the first scrape, not at start. */
public final class JvmMetrics {
    private JvmMetrics() {}

    public static void bind(ServiceMetrics metrics, Instant started) {
        double start = started.toEpochMilli() / 1e3;
        metrics.gauge("process_start_time_seconds", "Start of the process, seconds since 1970.", () -> start);
        metrics.counts(
                "process_cpu_seconds_total", "Processor time used.", List.of(), () -> Map.of(List.of(), cpuSeconds()));
        metrics.gauges("process_fds", "File descriptors.", "state", JvmMetrics::descriptors);
        metrics.gauges("jvm_memory_used_bytes", "Memory in use.", "area", JvmMetrics::memoryUsed);
        metrics.gauges("jvm_memory_max_bytes", "Memory allowed.", "area", JvmMetrics::memoryMax);
        metrics.gauges(
                "jvm_buffer_pool_used_bytes", "Memory of buffers outside the heap.", "pool", JvmMetrics::buffers);
        metrics.counts("jvm_gc_collections_total", "Collections.", List.of("gc"), () -> collectors(false));
        metrics.counts("jvm_gc_seconds_total", "Time spent collecting.", List.of("gc"), () -> collectors(true));
        metrics.gauge(
                "jvm_threads_platform",
                "Platform threads.",
                () -> ManagementFactory.getThreadMXBean().getThreadCount());
        metrics.gauges("jvm_virtual_threads", "The virtual-thread scheduler.", "state", JvmMetrics::virtualThreads);
    }

    private static double cpuSeconds() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
                ? os.getProcessCpuTime() / 1e9
                : 0;
    }

    private static Map<String, Long> descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
                ? Map.of("open", os.getOpenFileDescriptorCount(), "max", os.getMaxFileDescriptorCount())
                : Map.of();
    }

    private static Map<String, Long> memoryUsed() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        return Map.of(
                "heap", memory.getHeapMemoryUsage().getUsed(),
                "nonheap", memory.getNonHeapMemoryUsage().getUsed());
    }

    private static Map<String, Long> memoryMax() {
        return Map.of(
                "heap", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax());
    }

    private static Map<String, Long> buffers() {
        Map<String, Long> used = new HashMap<>();
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
                .forEach(p -> used.put(p.getName(), p.getMemoryUsed()));
        return used;
    }

    private static Map<List<String>, Number> collectors(boolean seconds) {
        Map<List<String>, Number> found = new HashMap<>();
        for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (seconds) {
                found.put(List.of(gc.getName()), gc.getCollectionTime() / 1e3);
            } else {
                found.put(List.of(gc.getName()), gc.getCollectionCount());
            }
        }
        return found;
    }

    private static Map<String, Integer> virtualThreads() {
        VirtualThreadSchedulerMXBean scheduler =
                ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
        return Map.of(
                "carriers", scheduler.getPoolSize(),
                "mounted", scheduler.getMountedVirtualThreadCount(),
                "queued", (int) scheduler.getQueuedVirtualThreadCount());
    }
}
