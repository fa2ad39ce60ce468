@NullMarked
package dev.ron.service.keys;

import org.jspecify.annotations.NullMarked;
