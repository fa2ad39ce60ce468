/** The committer: the one task that writes, and the counters in front of it. */
@NullMarked
package dev.ron.registry.commit;

import org.jspecify.annotations.NullMarked;
