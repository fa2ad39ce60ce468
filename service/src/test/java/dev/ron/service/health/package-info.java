@NullMarked
package dev.ron.service.health;

import org.jspecify.annotations.NullMarked;
