/** Event loops: their threads, their timers, their lag. */
@NullMarked
package dev.ron.http.loop;

import org.jspecify.annotations.NullMarked;
