/** Which request goes to which upstream, and under which path. */
@NullMarked
package dev.ron.gateway.route;

import org.jspecify.annotations.NullMarked;
