package dev.ron.service.reload;

import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigChange;
import java.util.List;

/** A part that must act when the configuration changes; parts that only read the newest value need not subscribe. */
public interface ConfigSubscriber {

    String name();

    /**
     * Whether something that the configuration only names, such as a certificate file, has changed: then a reload acts
     * even where every key is as it was. May throw like {@link #prepare}.
     */
    default boolean changedOutside(Config current) throws Exception {
        return false;
    }

    /**
     * Gets everything ready that can fail, such as opening a new listener, and changes nothing yet.
     *
     * @throws Exception with a message for the operator; the whole reload is then called off
     */
    Change prepare(Config next, List<ConfigChange> changes) throws Exception;

    /** Told how a reload ended, whoever asked for it and whatever came of it; must not wait. */
    default void reloaded(ReloadReport report) {}

    /** A change that is ready. */
    interface Change {
        /** Changes over; called after the new configuration is visible. */
        void commit();

        /** Puts back what prepare, and perhaps commit, did. */
        void rollback();

        /** For a part that had nothing to get ready. */
        static Change of(Runnable commit, Runnable rollback) {
            return new Change() {
                @Override
                public void commit() {
                    commit.run();
                }

                @Override
                public void rollback() {
                    rollback.run();
                }
            };
        }
    }
}
