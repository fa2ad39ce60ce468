package dev.ron.admin.live;

import dev.ron.admin.sample.Fleet;
import dev.ron.admin.sample.Rows;
import dev.ron.admin.view.FleetView;
import dev.ron.admin.view.NodeRow;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import tools.jackson.databind.json.JsonMapper;

/** All nodes as one document, written once for everybody who asks between two changes. */
public final class FleetDocument {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Fleet fleet;
    private final Rows rows;
    private final Clock clock;
    private final LongSupplier configVersion;
    private final AtomicLong version = new AtomicLong(1);
    private final Snapshot<Page> written = new Snapshot<>(new Page(0, new byte[0]));

    /** The document as it was at a version. */
    public static final class Page {
        private final long version;
        private final byte[] json;

        Page(long version, byte[] json) {
            this.version = version;
            this.json = json;
        }

        public long version() {
            return version;
        }

        public byte[] json() {
            return json;
        }
    }

    public FleetDocument(Fleet fleet, Rows rows, Clock clock, LongSupplier configVersion) {
        this.fleet = fleet;
        this.rows = rows;
        this.clock = clock;
        this.configVersion = configVersion;
    }

    /** Something about the fleet is new. */
    long changed() {
        return version.incrementAndGet();
    }

    public long version() {
        return version.get();
    }

    public Page page() {
        long now = version.get();
        Page known = written.get();
        if (known.version() == now) {
            return known;
        }
        // Two may write at once; both write the truth, and either is kept.
        Page fresh = new Page(now, JSON.writeValueAsBytes(view(now)));
        written.publish(fresh);
        return fresh;
    }

    private FleetView view(long at) {
        List<NodeRow> all = fleet.all().stream().map(rows::row).toList();
        Map<String, Integer> totals = new TreeMap<>();
        all.forEach(row -> totals.merge(row.state(), 1, Integer::sum));
        return new FleetView(at, clock.now(), configVersion.getAsLong(), all, totals);
    }
}
