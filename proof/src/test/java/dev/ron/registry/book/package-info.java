/** The commit path under every interleaving. */
@NullMarked
package dev.ron.registry.book;

import org.jspecify.annotations.NullMarked;
