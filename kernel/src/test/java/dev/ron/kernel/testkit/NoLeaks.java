package dev.ron.kernel.testkit;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Fails a test that leaves a thread, a file or a socket behind, and a class that forgot to close something. */
public final class NoLeaks implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    private static final Namespace HERE = Namespace.create(NoLeaks.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getStore(HERE).put("class", new LeakCheck());
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(HERE).put("test", new LeakCheck());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        check(context, "test");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        // What was forgotten shows only once it has been collected; one collection per class is cheap enough.
        System.gc();
        check(context, "class");
    }

    private static void check(ExtensionContext context, String key) {
        LeakCheck before = context.getStore(HERE).remove(key, LeakCheck.class);
        if (before != null) {
            before.assertNothingLeft();
        }
    }
}
