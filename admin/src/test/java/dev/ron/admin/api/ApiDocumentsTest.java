package dev.ron.admin.api;

import dev.ron.kernel.testkit.GoldenFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The reference and the pages' types say what the records say. */
@Tag("golden")
class ApiDocumentsTest {

    @Test
    void everyRouteIsInTheReference() {
        GoldenFile.of("reference/admin-api.md").matches(Reference.write());
    }

    @Test
    void thePagesUseTheTypesOfTheServer() {
        GoldenFile.of("../admin/ui/src/api/types.ts").matches(TypeScript.write());
    }
}
