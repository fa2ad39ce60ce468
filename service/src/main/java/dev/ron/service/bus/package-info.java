/** Events between the services of one process. */
@NullMarked
package dev.ron.service.bus;

import org.jspecify.annotations.NullMarked;
