@NullMarked
package dev.ron.service.trace;

import org.jspecify.annotations.NullMarked;
