@NullMarked
package dev.ron.service.bus;

import org.jspecify.annotations.NullMarked;
