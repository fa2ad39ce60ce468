package dev.ron.gateway.upstream;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/** How full the heap is of what lives on: what was left after its last collection. */
final class Heap {
    private final List<MemoryPoolMXBean> old = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isCollectionUsageThresholdSupported())
            .filter(pool -> pool.isUsageThresholdSupported()) // not the part for the young, which is full by design
            .toList();

    /** 0 to 1; 0 where this Java does not say. */
    double used() {
        long used = 0;
        long most = 0;
        for (MemoryPoolMXBean pool : old) {
            MemoryUsage left = pool.getCollectionUsage();
            if (left != null && left.getMax() > 0) {
                used += left.getUsed();
                most += left.getMax();
            }
        }
        return most == 0 ? 0 : (double) used / most;
    }
}
