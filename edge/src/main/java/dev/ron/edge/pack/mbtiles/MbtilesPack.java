package dev.ron.edge.pack.mbtiles;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.PackFile;
import dev.ron.edge.pack.PackInfo;
import dev.ron.edge.pack.PackSurvey;
import dev.ron.edge.pack.PackTag;
import dev.ron.edge.pack.Tile;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.TileVisitor;
import dev.ron.edge.range.EntityTag;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.BooleanSupplier;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import tools.jackson.databind.node.ObjectNode;

/**
 * An MBTiles database.
 *
 * <p>All connections are opened at the mount, one per thread of the lane that reads: a connection opened later could
 * meet another file under the same name. A look-up borrows one and gives it back.
 */
public final class MbtilesPack implements Pack {
    private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_BYTES = 100;
    private static final int PRIMARY_CODE = 0xff; // above it is the finer cause

    private final PackFile file;
    private final PackInfo info;
    private final EntityTag tag;
    private final BlockingQueue<MbtilesReader> idle;

    /** Something that asks the database. */
    @FunctionalInterface
    private interface Query<R> {
        R ask(MbtilesReader reader) throws SQLException, IOException;
    }

    private MbtilesPack(PackFile file, MbtilesLimits limits, BlockingQueue<MbtilesReader> idle)
            throws SQLException, IOException {
        this.file = file;
        this.idle = idle;
        byte[] header = checkedHeader(file);
        for (int i = 0; i < limits.readers(); i++) {
            idle.add(new MbtilesReader(file.path(), limits));
        }
        // The connections were opened by name: only if the name has not moved on are they to the file we hold.
        file.checkStillNamed();
        info = with(reader -> describe(reader, file.name()));
        tag = PackTag.of(file.identity(), header);
    }

    public static MbtilesPack open(Path path, MbtilesLimits limits) {
        PackFile file = PackFile.open(path);
        BlockingQueue<MbtilesReader> readers = new ArrayBlockingQueue<>(limits.readers());
        boolean opened = false;
        try {
            MbtilesPack pack = new MbtilesPack(file, limits, readers);
            opened = true;
            return pack;
        } catch (SQLException | IOException e) {
            throw failed(file, e);
        } finally {
            if (!opened) {
                close(file, readers);
            }
        }
    }

    private static byte[] checkedHeader(PackFile file) {
        if (file.size() < HEADER_BYTES) {
            throw new PackError(
                    PackFault.TRUNCATED,
                    file.name() + " has " + file.size() + " bytes (expected: at least " + HEADER_BYTES + ")");
        }
        byte[] header = file.read(0, HEADER_BYTES);
        if (!Arrays.equals(header, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new PackError(PackFault.BAD_FORMAT, file.name() + " is not an SQLite database");
        }
        for (String suffix : new String[] {"-wal", "-journal"}) {
            Path beside = file.path().resolveSibling(file.name() + suffix);
            if (beside.toFile().length() > 0 && Files.isRegularFile(beside)) {
                throw new PackError(
                        PackFault.BAD_SCHEMA,
                        file.name() + " has unfinished changes in " + file.name() + suffix
                                + "; close its writer or run `sqlite3 " + file.name() + " .quit`");
            }
        }
        return header;
    }

    private static MbtilesMetadata metadata(MbtilesReader reader, String name) throws SQLException {
        return new MbtilesMetadata(reader.metadata(), name);
    }

    private static PackInfo describe(MbtilesReader reader, String name) throws SQLException {
        MbtilesMetadata metadata = metadata(reader, name);
        Optional<Integer> min = metadata.zoom("minzoom");
        Optional<Integer> max = metadata.zoom("maxzoom");
        if (min.isEmpty() || max.isEmpty() || min.get() > max.get()) {
            int[] found = reader.zooms().orElseGet(() -> new int[] {0, 0});
            min = Optional.of(Math.clamp(found[0], 0, TileCoord.MAX_ZOOM));
            max = Optional.of(Math.clamp(found[1], 0, TileCoord.MAX_ZOOM));
        }
        TileType type = metadata.type();
        return new PackInfo(
                "mbtiles",
                type,
                type.isVector() ? Coding.GZIP : Coding.NONE, // the usual; each blob is looked at
                min.get(),
                max.get(),
                metadata.bounds(),
                metadata.center(),
                metadata.description());
    }

    @Override
    public PackInfo info() {
        return info;
    }

    @Override
    public PackFile file() {
        return file;
    }

    @Override
    public EntityTag tag() {
        return tag;
    }

    @Override
    public ObjectNode metadata() {
        return checked(reader -> metadata(reader, file.name())).whole();
    }

    @Override
    public Optional<Tile> tile(TileCoord at) {
        if (at.z() < info.minZoom() || at.z() > info.maxZoom()) {
            return Optional.empty();
        }
        return checked(reader -> reader.tile(at));
    }

    @Override
    public void tiles(TileVisitor visitor) {
        checked(reader -> {
            reader.tiles(visitor);
            return true;
        });
    }

    @Override
    public PackSurvey survey(BooleanSupplier stop) {
        return checked(reader -> reader.survey(info.minZoom(), info.maxZoom(), stop));
    }

    @Override
    public OptionalLong expectedTiles() {
        return checked(MbtilesReader::count);
    }

    private <R> R checked(Query<R> query) {
        try {
            R result = with(query);
            file.checkStillOurs();
            return result;
        } catch (SQLException | IOException e) {
            throw failed(file, e);
        }
    }

    private <R> R with(Query<R> query) throws SQLException, IOException {
        MbtilesReader reader = idle.poll();
        if (reader == null) {
            throw new RonException(
                    Code.BUSY, "busy", file.name() + ": all connections are in use; read it on its own lane");
        }
        try {
            return query.ask(reader);
        } finally {
            idle.add(reader);
        }
    }

    /** Why it failed; that the file was overwritten explains everything else. */
    private static PackError failed(PackFile file, Exception e) {
        try {
            file.checkStillOurs();
        } catch (PackError overwritten) {
            return overwritten;
        } catch (IOException moved) {
            e.addSuppressed(moved);
        }
        return e instanceof SQLException sql
                ? failed(file.name(), sql)
                : new PackError(PackFault.UNREADABLE, file.name() + " cannot be read", e);
    }

    /** Only what the operating system refused may be otherwise the next time; the rest is in the file to stay. */
    private static PackError failed(String name, SQLException e) {
        SQLiteErrorCode code =
                e instanceof SQLiteException sqlite ? sqlite.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
        String message = String.valueOf(e.getMessage());
        if (message.contains("no such table") || message.contains("no such column")) {
            return new PackError(
                    PackFault.BAD_SCHEMA,
                    name + ": not MBTiles (expected: tables or views metadata(name, value) and tiles(zoom_level,"
                            + " tile_column, tile_row, tile_data))");
        }
        return switch (SQLiteErrorCode.getErrorCode(code.code & PRIMARY_CODE)) {
            case SQLITE_IOERR, SQLITE_CANTOPEN ->
                new PackError(PackFault.UNREADABLE, name + " cannot be read: " + code.name(), e);
            case SQLITE_INTERRUPT ->
                new PackError(PackFault.TOO_LARGE, name + ": a look-up takes too long; is the index missing?");
            case SQLITE_TOOBIG, SQLITE_NOMEM, SQLITE_FULL ->
                new PackError(PackFault.TOO_LARGE, name + " asks for more room than a tile takes: " + code.name(), e);
            default ->
                new PackError(
                        PackFault.DAMAGED, name + " is damaged: " + code.name() + "; replace it with a good copy", e);
        };
    }

    @Override
    public void close() {
        close(file, idle);
    }

    /** Called when no reader is in use: on a failed mount, or when the last request has let the pack go. */
    private static void close(PackFile file, BlockingQueue<MbtilesReader> readers) {
        try {
            for (MbtilesReader reader = readers.poll(); reader != null; reader = readers.poll()) {
                reader.close();
            }
        } catch (SQLException e) {
            throw failed(file, e);
        } finally {
            file.close();
        }
    }
}
