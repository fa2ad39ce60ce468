package dev.ron.edge.serve;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.netty.util.IllegalReferenceCountException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The large files that are being served, kept open for a while so that what is warm is known to be. */
public final class OpenFiles {
    private static final int MOST = 256;
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Cache<Object, ServedFile> open = Caffeine.newBuilder()
            .maximumSize(MOST)
            .expireAfterAccess(IDLE)
            .executor(Runnable::run)
            .removalListener((@Nullable Object _, @Nullable ServedFile file, RemovalCause _) -> {
                if (file != null) {
                    file.release();
                }
            })
            .build();

    /** An open file, retained for the caller. */
    Optional<ServedFile> get(Object key) {
        ServedFile file = open.getIfPresent(key);
        try {
            return file == null ? Optional.empty() : Optional.of((ServedFile) file.retain());
        } catch (IllegalReferenceCountException _) {
            return Optional.empty();
        }
    }

    /** Keeps a file; its one reference becomes the cache's, and the caller gets another. */
    ServedFile keep(Object key, ServedFile file) {
        file.retain();
        open.put(key, file);
        return file;
    }

    /** Closes what was not asked for lately; to be called now and then. */
    public void tidy() {
        open.cleanUp();
    }

    public void clear() {
        open.invalidateAll();
        open.cleanUp();
    }
}
