/** Reads the text formats of /metrics from bytes that come in any pieces. */
@NullMarked
package dev.ron.admin.expose;

import org.jspecify.annotations.NullMarked;
