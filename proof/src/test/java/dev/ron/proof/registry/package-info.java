/** The registry behind its listener, and its readers under hostile bytes. */
@NullMarked
package dev.ron.proof.registry;

import org.jspecify.annotations.NullMarked;
