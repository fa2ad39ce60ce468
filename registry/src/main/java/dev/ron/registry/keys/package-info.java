/** Signers' keys, encrypted at rest. */
@NullMarked
package dev.ron.registry.keys;

import org.jspecify.annotations.NullMarked;
