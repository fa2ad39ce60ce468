/** What a node's samples become: rates, quantiles, facets, kept in a ring as long as the window. */
@NullMarked
package dev.ron.admin.series;

import org.jspecify.annotations.NullMarked;
