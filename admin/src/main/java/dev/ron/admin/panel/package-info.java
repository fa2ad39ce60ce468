/** Turns what a node said and measured into the panels of its services. */
@NullMarked
package dev.ron.admin.panel;

import org.jspecify.annotations.NullMarked;
