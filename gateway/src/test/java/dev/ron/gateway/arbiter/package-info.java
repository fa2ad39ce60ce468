@NullMarked
package dev.ron.gateway.arbiter;

import org.jspecify.annotations.NullMarked;
