/** Changing the configuration of a running process, whole or not at all. */
@NullMarked
package dev.ron.service.reload;

import org.jspecify.annotations.NullMarked;
