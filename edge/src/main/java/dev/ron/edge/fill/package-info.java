/** Objects fetched from their origins: single flight, bounded work, checked before they are kept. */
@NullMarked
package dev.ron.edge.fill;

import org.jspecify.annotations.NullMarked;
