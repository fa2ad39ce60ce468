@NullMarked
package dev.ron.gateway.arbiter.drr;

import org.jspecify.annotations.NullMarked;
