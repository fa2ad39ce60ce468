/** The all-in-one node and the {@code ron} command line. */
@NullMarked
package dev.ron.node;

import org.jspecify.annotations.NullMarked;
