package dev.ron.edge.serve;

import dev.ron.edge.mount.Lease;
import dev.ron.edge.mount.Mounts;
import dev.ron.edge.mount.SharedPack;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.raw.MediaTypes;
import dev.ron.edge.range.Representation;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;

/** Whole packs under their file names, for readers that fetch ranges of them. */
public final class Packs {
    private final Mounts mounts;
    private final OpenFiles open;
    private final Cold cold;
    private final Sender sender;
    private final Served served;
    private final Supplier<String> cacheControl;
    private final Clock clock;

    private record RawKey(long generation, String cacheControl) {}

    public Packs(
            Mounts mounts,
            OpenFiles open,
            Cold cold,
            Sender sender,
            Served served,
            Supplier<String> cacheControl,
            Clock clock) {
        this.mounts = mounts;
        this.open = open;
        this.cold = cold;
        this.sender = sender;
        this.served = served;
        this.cacheControl = cacheControl;
        this.clock = clock;
    }

    /** The pack a file name means, if one of that kind is mounted. */
    Optional<String> named(String fileName) {
        int dot = fileName.lastIndexOf('.');
        boolean isPack = fileName.endsWith(".pmtiles") || fileName.endsWith(".mbtiles");
        if (!isPack || dot < 1 || fileName.indexOf('/') >= 0) {
            return Optional.empty();
        }
        String name = fileName.substring(0, dot);
        SharedPack pack = mounts.current(name);
        boolean known = pack == null
                ? mounts.fault(name).isPresent()
                : fileName.endsWith("." + pack.info().kind());
        return known ? Optional.of(name) : Optional.empty();
    }

    void handle(Exchange exchange, String name) {
        SharedPack pack = mounts.current(name);
        if (pack == null) {
            throw missing(mounts, name);
        }
        String control = cacheControl.get() + ", no-transform";
        Optional<ServedFile> file = open.get(new RawKey(pack.generation(), control));
        if (file.isPresent()) {
            send(exchange, name, file.get(), HotObject.HIT);
        } else {
            cold.run(
                    exchange,
                    () -> open(name, control),
                    opened -> send(exchange, name, opened, ServedFile.OPENED),
                    ServedFile::release);
        }
    }

    private void send(Exchange exchange, String name, ServedFile file, String status) {
        served.pack();
        sender.file(exchange, file, status, Headers.NONE, why -> broken(name, why));
    }

    /** On the pool. */
    private ServedFile open(String name, String control) {
        Lease lease = mounts.lease(name).orElseThrow(() -> missing(mounts, name));
        boolean passedOn = false;
        try {
            ServedFile file =
                    new ServedFile(entity(lease, control), lease.pack().file(), cold.closing(lease), clock);
            passedOn = true;
            return mounts.current(name) == null ? file : open.keep(new RawKey(lease.generation(), control), file);
        } finally {
            if (!passedOn) {
                lease.close();
            }
        }
    }

    private static Entity entity(Lease lease, String control) {
        Representation is = new Representation(
                lease.pack().file().size(),
                lease.pack().tag(),
                Optional.of(lease.pack().file().identity().modified().toInstant()));
        String type = MediaTypes.of("x." + lease.pack().info().kind());
        return new Entity(type, "", false, is, control);
    }

    private void broken(String name, RonException why) {
        if (why instanceof PackError e && e.fault() == PackFault.OVERWRITTEN) {
            mounts.lease(name).ifPresent(lease -> {
                try (lease) {
                    mounts.unmountIfOverwritten(name, lease, e);
                }
            });
        }
    }

    /** Why there is no pack of that name: it is not known, or it cannot be served and we know the cause. */
    static RonException missing(Mounts mounts, String name) {
        Optional<PackError> fault = mounts.fault(name);
        return fault.isPresent()
                ? fault.get()
                : new RonException(Code.NOT_FOUND, "not_found", "there is no pack " + name);
    }
}
