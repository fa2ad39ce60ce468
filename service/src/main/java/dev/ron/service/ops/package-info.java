/** The ops plane: probes, metrics and status for machines, and the few actions an operator may take. */
@NullMarked
package dev.ron.service.ops;

import org.jspecify.annotations.NullMarked;
