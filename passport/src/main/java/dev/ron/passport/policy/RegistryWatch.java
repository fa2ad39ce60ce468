package dev.ron.passport.policy;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.task.TaskScope;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits at the registry for its log to grow and hints it on; what it is told is not believed, only looked into. */
public final class RegistryWatch {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryWatch.class);
    private static final int WAIT_SECONDS = 20;
    private static final Duration LIMIT = Duration.ofSeconds(WAIT_SECONDS + 5);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LAST_PAUSE = Duration.ofSeconds(30);

    private final RegistryClient registry;
    private final Watch.Writer<Long> hint;

    public RegistryWatch(RegistryClient registry, Watch.Writer<Long> hint) {
        this.registry = registry;
        this.hint = hint;
    }

    public void run(TaskScope scope) {
        long seen = 0;
        Duration pause = FIRST_PAUSE;
        while (!scope.stopping()) {
            try {
                long head =
                        registry.awaitHead(seen, WAIT_SECONDS, scope.untilStop().within(LIMIT));
                if (head != seen) {
                    seen = head;
                    hint.set(head);
                }
                pause = FIRST_PAUSE;
            } catch (Canceled stopped) {
                throw stopped;
            } catch (Exception e) {
                LOG.debug("the registry cannot be watched: {}", e.getMessage());
                if (!scope.sleep(pause)) {
                    return;
                }
                pause = pause.multipliedBy(2).compareTo(LAST_PAUSE) < 0 ? pause.multipliedBy(2) : LAST_PAUSE;
            }
        }
    }
}
