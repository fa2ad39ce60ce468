/** The stream of changes that browsers follow. */
@NullMarked
package dev.ron.admin.live;

import org.jspecify.annotations.NullMarked;
