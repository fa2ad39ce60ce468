@NullMarked
package dev.ron.gateway.tenant;

import org.jspecify.annotations.NullMarked;
