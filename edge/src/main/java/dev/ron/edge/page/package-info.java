/** What people look at: the list of packs and the preview map. */
@NullMarked
package dev.ron.edge.page;

import org.jspecify.annotations.NullMarked;
