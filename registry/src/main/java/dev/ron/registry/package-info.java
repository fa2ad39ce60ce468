/** svc-registry: descriptors that change by quorum only, in a log that anyone can check. */
@NullMarked
package dev.ron.registry;

import org.jspecify.annotations.NullMarked;
