@NullMarked
package dev.ron.service.metrics;

import org.jspecify.annotations.NullMarked;
