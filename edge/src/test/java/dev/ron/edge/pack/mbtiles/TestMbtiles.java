package dev.ron.edge.pack.mbtiles;

import dev.ron.edge.pack.TileCoord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Map;

/** Writes an MBTiles database of the usual shape. */
public final class TestMbtiles {
    private TestMbtiles() {}

    public static void write(Path path, String format, Map<TileCoord, byte[]> tiles) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("CREATE TABLE metadata (name TEXT, value TEXT)");
            statement.execute("CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB)");
            statement.execute("CREATE UNIQUE INDEX i ON tiles (zoom_level, tile_column, tile_row)");
            statement.execute("INSERT INTO metadata VALUES ('format', '" + format + "')");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO tiles VALUES (?, ?, ?, ?)")) {
                for (Map.Entry<TileCoord, byte[]> tile : tiles.entrySet()) {
                    insert.setInt(1, tile.getKey().z());
                    insert.setInt(2, tile.getKey().x());
                    insert.setInt(3, tile.getKey().tmsRow());
                    insert.setBytes(4, tile.getValue());
                    insert.execute();
                }
            }
            connection.commit();
        }
    }

    /** Writes one whose tiles are a view without an end. */
    public static void writeEndless(Path path) throws SQLException {
        write(path, "png", Map.of(new TileCoord(0, 0, 0), new byte[] {1}));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO metadata VALUES ('minzoom', '0'), ('maxzoom', '0')");
            statement.execute("DROP TABLE tiles");
            statement.execute("CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"
                    + " SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'01' AS tile_data FROM n");
        }
    }

    /** The bytes of a small database whose table or index is a page of zeros: it opens, and then cannot be read on. */
    public static byte[] withDamagedPage(Path path, String tableOrIndex) throws IOException, SQLException {
        byte[] bytes = Files.readAllBytes(path);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT rootpage, page_size FROM sqlite_schema,"
                        + " pragma_page_size WHERE name = '" + tableOrIndex + "'")) {
            row.next();
            int size = row.getInt(2);
            int at = (row.getInt(1) - 1) * size;
            Arrays.fill(bytes, at, at + size, (byte) 0);
        }
        return bytes;
    }
}
