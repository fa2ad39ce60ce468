package dev.ron.registry.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The same contract on SQLite, written as plainly as can be: what our own store is compared with. */
final class SqliteStore implements Store {
    private final Connection connection;

    SqliteStore(Path file) throws IOException {
        try {
            connection = DriverManager.getConnection("jdbc:sqlite:" + file);
            try (Statement statement = connection.createStatement()) {
                statement.execute("pragma journal_mode=wal");
                statement.execute("pragma synchronous=full");
                statement.execute("create table if not exists rec(batch integer, place integer, type text, body blob,"
                        + " primary key(batch, place))");
            }
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    @Override
    public Recovery replay(Reader reader) throws IOException {
        long batches = next() - 1;
        for (long seq = 1; seq <= batches; seq++) {
            reader.batch(seq, batch(seq));
        }
        return new Recovery(batches, 0, Optional.empty());
    }

    private List<Rec> batch(long seq) throws IOException {
        try (PreparedStatement query =
                connection.prepareStatement("select type, body from rec where batch = ? order by place")) {
            query.setLong(1, seq);
            List<Rec> records = new ArrayList<>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    records.add(new Rec(Rec.Type.valueOf(rows.getString(1)), rows.getBytes(2)));
                }
            }
            return records;
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    @Override
    public long next() {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select coalesce(max(batch), 0) + 1 from rec")) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void append(long expected, List<Rec> records) throws StoreFault {
        if (expected != next()) {
            throw new StoreFault(StoreFault.Kind.MOVED, "batch " + expected);
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into rec values(?, ?, ?, ?)")) {
            for (int place = 0; place < records.size(); place++) {
                insert.setLong(1, expected);
                insert.setInt(2, place);
                insert.setString(3, records.get(place).type().name());
                insert.setBytes(4, records.get(place).body());
                insert.addBatch();
            }
            insert.executeBatch();
            connection.commit();
        } catch (SQLException e) {
            throw new StoreFault(StoreFault.Kind.FAILED, "sqlite", e);
        }
    }

    @Override
    public Rec read(Ref ref) throws IOException {
        List<Rec> records = batch(ref.batch());
        if (ref.place() >= records.size()) {
            throw Store.noSuch(ref.batch());
        }
        return records.get(ref.place());
    }

    @Override
    public Optional<StoreFault> trouble() {
        return Optional.empty();
    }

    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public int segments() {
        return 1;
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
