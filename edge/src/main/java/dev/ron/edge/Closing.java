package dev.ron.edge;

import dev.ron.edge.cas.Cas;
import dev.ron.edge.fill.FillParts;
import dev.ron.edge.mount.Mounts;
import dev.ron.edge.serve.HotCache;
import dev.ron.edge.serve.OpenFiles;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;

/** Lets go of files and memory once nobody answers or writes any more. */
record Closing(Cas cas, Mounts mounts, HotCache cache, OpenFiles open, FillParts fill) implements Drainable {
    @Override
    public String name() {
        return "edge/files";
    }

    @Override
    public Stage stage() {
        return Stage.OBSERVE;
    }

    @Override
    public boolean drain(Deadline deadline) {
        fill.close();
        open.clear();
        cache.clear();
        mounts.close();
        cas.close();
        return true;
    }

    @Override
    public int abort() {
        return 0;
    }
}
