/** Logs as JSON lines (text on a terminal) that never make a caller wait and never show a secret. */
@NullMarked
package dev.ron.service.log;

import org.jspecify.annotations.NullMarked;
