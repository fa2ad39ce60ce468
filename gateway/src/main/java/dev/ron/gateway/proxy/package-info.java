/** One request on its way through, wholly on its event loop. */
@NullMarked
package dev.ron.gateway.proxy;

import org.jspecify.annotations.NullMarked;
