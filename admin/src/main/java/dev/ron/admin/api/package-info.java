/** The console's HTTP surface: one table of routes with the role each needs. */
@NullMarked
package dev.ron.admin.api;

import org.jspecify.annotations.NullMarked;
