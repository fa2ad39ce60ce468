package dev.ron.admin.action;

import dev.ron.admin.view.AuditRecord;
import java.io.IOException;
import java.util.List;

/** Where the lines of the audit log are kept. */
interface AuditStore {

    /** What was kept. */
    record Loaded(List<AuditRecord> records, String trouble) {}

    Loaded load() throws IOException;

    /** Returns once the line would survive the end of the process. */
    void append(AuditRecord record) throws IOException;

    boolean durable();

    void close() throws IOException;

    /** Keeps nothing beyond the process. */
    static AuditStore inMemory() {
        return new AuditStore() {
            @Override
            public Loaded load() {
                return new Loaded(List.of(), "");
            }

            @Override
            public void append(AuditRecord record) {}

            @Override
            public boolean durable() {
                return false;
            }

            @Override
            public void close() {}
        };
    }
}
