/** What may pass a hop and what may not: the header rules in both directions. */
@NullMarked
package dev.ron.gateway.fields;

import org.jspecify.annotations.NullMarked;
