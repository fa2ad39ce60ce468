package dev.ron.edge.pack.mbtiles;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.PackSurvey;
import dev.ron.edge.pack.Tile;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileVisitor;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** One read-only connection with its prepared look-up; used by one thread at a time. */
final class MbtilesReader implements AutoCloseable {
    private static final String LOOK_UP = """
            SELECT octet_length(tile_data), CASE WHEN octet_length(tile_data) <= ? THEN tile_data END
            FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?""";
    private static final String ALL = """
            SELECT zoom_level, tile_column, tile_row, octet_length(tile_data),
                CASE WHEN octet_length(tile_data) <= ? THEN tile_data END
            FROM tiles""";
    private static final String ADDRESSES =
            "SELECT zoom_level, tile_column, tile_row, octet_length(tile_data) FROM tiles";
    private static final String INDEX =
            "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row), or that behind the view";
    private static final int STEP_UNIT = 1000;
    private static final int MAX_METADATA_ROWS = 1000;
    private static final int ROW_SLACK = 64 << 10; // for what else is in a row that a view sorts or groups by

    private final String name;
    private final MbtilesLimits limits;
    private final Connection connection;
    private final PreparedStatement lookUp;
    private int stepsLeft;
    private BooleanSupplier stop = () -> false;

    MbtilesReader(Path path, MbtilesLimits limits) throws SQLException {
        this.name = String.valueOf(path.getFileName());
        this.limits = limits;
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setOpenMode(SQLiteOpenMode.OPEN_URI);
        // A view may make values of any size, and SQLite makes one before anybody can ask for its length.
        long longest = (long) Math.max(limits.maxTileBytes(), limits.maxMetadataChars()) + ROW_SLACK;
        config.setPragma(SQLiteConfig.Pragma.LIMIT_LENGTH, String.valueOf(Math.min(longest, Integer.MAX_VALUE)));
        // Immutable: no locks, no journal, nothing beside the file is touched; PackFile watches for changes.
        connection = config.createConnection("jdbc:sqlite:file:" + escaped(path) + "?mode=ro&immutable=1");
        PreparedStatement prepared;
        try {
            ProgressHandler.setHandler(connection, STEP_UNIT, new ProgressHandler() {
                @Override
                protected int progress() {
                    return --stepsLeft < 0 || stop.getAsBoolean() ? 1 : 0;
                }
            });
            try (Statement pragma = connection.createStatement()) {
                // Views of a foreign file may not call functions with side effects.
                pragma.execute("PRAGMA trusted_schema = off");
            }
            prepared = connection.prepareStatement(LOOK_UP);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        lookUp = prepared;
    }

    /** As a path in a URI: what would begin a query or an escape is escaped. */
    private static String escaped(Path path) {
        return path.toAbsolutePath()
                .toString()
                .replace("%", "%25")
                .replace("?", "%3f")
                .replace("#", "%23");
    }

    Optional<Tile> tile(TileCoord at) throws SQLException {
        stepsLeft = limits.maxLookUpSteps();
        lookUp.setInt(1, limits.maxTileBytes());
        lookUp.setInt(2, at.z());
        lookUp.setInt(3, at.x());
        lookUp.setInt(4, at.tmsRow());
        try (ResultSet row = lookUp.executeQuery()) {
            if (!row.next() || row.getLong(1) == 0) {
                return Optional.empty();
            }
            checkLength(at, row.getLong(1));
            byte[] bytes = row.getBytes(2);
            return Optional.of(new Tile(bytes, Coding.sniff(bytes)));
        }
    }

    /** The table of names and values; the first value of a name counts, and the bound is on all of them together. */
    Map<String, String> metadata() throws SQLException {
        Map<String, String> found = new LinkedHashMap<>();
        int beyond = limits.maxMetadataChars() + 1;
        long chars = 0;
        stepsLeft = limits.maxSteps();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT substr(name, 1, " + beyond + "), substr(value, 1, "
                        + beyond + ") FROM metadata LIMIT " + MAX_METADATA_ROWS)) {
            while (rows.next()) {
                String key = rows.getString(1);
                String value = rows.getString(2);
                if (key == null || value == null) { // an empty blob is null too
                    continue;
                }
                chars += key.length() + value.length();
                if (chars >= beyond) {
                    throw new PackError(
                            PackFault.TOO_LARGE,
                            name + ": metadata of more than " + limits.maxMetadataChars() + " characters");
                }
                found.putIfAbsent(key, value);
            }
        }
        return found;
    }

    /** The lowest and highest zoom, or nothing if there are no tiles. */
    Optional<int[]> zooms() throws SQLException {
        stepsLeft = limits.maxSteps();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        // Two look-ups in the index instead of one scan.
                        "SELECT (SELECT min(zoom_level) FROM tiles), (SELECT max(zoom_level) FROM tiles)")) {
            row.next();
            int min = row.getInt(1);
            boolean none = row.wasNull();
            return none ? Optional.empty() : Optional.of(new int[] {min, row.getInt(2)});
        }
    }

    /** How many rows there are, or nothing where counting them takes too long. */
    OptionalLong count() throws SQLException {
        stepsLeft = limits.maxSteps();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM tiles")) {
            row.next();
            return OptionalLong.of(row.getLong(1));
        } catch (SQLException e) {
            if (String.valueOf(e.getMessage()).contains("interrupt")) {
                return OptionalLong.empty();
            }
            throw e;
        }
    }

    /** Looks at how a look-up goes, and at the place and length of every row: what is odd there no look-up meets. */
    PackSurvey survey(int minZoom, int maxZoom, BooleanSupplier stop) throws SQLException {
        List<String> problems = new ArrayList<>();
        scan().ifPresent(problems::add);
        long tiles = 0;
        long nowhere = 0;
        long outside = 0;
        long large = 0;
        this.stop = stop; // a view may take long for one row
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(ADDRESSES)) {
            for (long row = 1; next(rows, row); row++) {
                if (stop.getAsBoolean()) {
                    return new PackSurvey(tiles, false, problems);
                }
                long z = rows.getLong(1);
                long bytes = rows.getLong(4);
                if (!TileCoord.exists(z, rows.getLong(2), rows.getLong(3))) { // the flip keeps a row in its range
                    nowhere++;
                } else if (z < minZoom || z > maxZoom) {
                    outside++;
                } else if (bytes > limits.maxTileBytes()) {
                    large++;
                }
                tiles += bytes > 0 ? 1 : 0;
            }
        } catch (SQLException e) {
            if (stop.getAsBoolean()) {
                return new PackSurvey(tiles, false, problems);
            }
            throw e;
        } finally {
            this.stop = () -> false;
        }
        note(problems, nowhere, "rows are for tiles that do not exist");
        note(problems, outside, "tiles are outside zoom " + minZoom + " to " + maxZoom + ", which the metadata names");
        note(problems, large, "tiles have more than " + limits.maxTileBytes() + " bytes");
        return new PackSurvey(tiles, true, problems);
    }

    /** The part of a look-up that reads all of a table, where there is one; a view may read several. */
    private Optional<String> scan() throws SQLException {
        stepsLeft = limits.maxSteps();
        try (Statement statement = connection.createStatement();
                ResultSet plan = statement.executeQuery("EXPLAIN QUERY PLAN " + LOOK_UP)) {
            while (plan.next()) {
                String step = plan.getString("detail");
                // An automatic index is made anew for each look-up, of the whole table.
                if (step.startsWith("SCAN ") || step.contains(" AUTOMATIC ")) {
                    return Optional.of("each look-up reads a whole table (" + step + "); create the index: " + INDEX);
                }
            }
        }
        return Optional.empty();
    }

    private static void note(List<String> problems, long count, String what) {
        if (count > 0) {
            problems.add(count + " " + what);
        }
    }

    void tiles(TileVisitor visitor) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ALL)) {
            statement.setInt(1, limits.maxTileBytes());
            try (ResultSet rows = statement.executeQuery()) {
                long row = 1;
                while (next(rows, row) && visit(rows, visitor)) {
                    row++;
                }
            }
        }
    }

    /** The next row under a bound on the work for it, and on all: a view may have rows without end. */
    private boolean next(ResultSet rows, long row) throws SQLException {
        stepsLeft = limits.maxSteps();
        if (row > limits.maxRows()) {
            throw new PackError(PackFault.TOO_LARGE, name + ": more than " + limits.maxRows() + " rows");
        }
        return rows.next();
    }

    private boolean visit(ResultSet rows, TileVisitor visitor) throws SQLException {
        long z = rows.getLong(1);
        long x = rows.getLong(2);
        long row = rows.getLong(3);
        long y = z >= 0 && z <= TileCoord.MAX_ZOOM ? (1L << z) - 1 - row : -1;
        long length = rows.getLong(4);
        if (!TileCoord.exists(z, x, y) || rows.wasNull()) {
            throw new PackError(
                    PackFault.BAD_SCHEMA,
                    name + ": a row for the tile " + z + "/" + x + ", TMS row " + row
                            + " (expected: a tile that exists, with data)");
        }
        TileCoord at = new TileCoord((int) z, (int) x, (int) y);
        checkLength(at, length);
        if (length == 0) {
            return true;
        }
        byte[] bytes = rows.getBytes(5);
        return visitor.visit(at, new Tile(bytes, Coding.sniff(bytes)));
    }

    private void checkLength(TileCoord at, long length) {
        if (length > limits.maxTileBytes()) {
            throw new PackError(
                    PackFault.TOO_LARGE,
                    name + ": tile " + at + " has " + length + " bytes (expected: at most " + limits.maxTileBytes()
                            + ")");
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
