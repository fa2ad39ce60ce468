@NullMarked
package dev.ron.service.reload;

import org.jspecify.annotations.NullMarked;
