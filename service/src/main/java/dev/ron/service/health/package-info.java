/** Liveness and readiness: named keys, why one is missing, and the documents that say so. */
@NullMarked
package dev.ron.service.health;

import org.jspecify.annotations.NullMarked;
