@NullMarked
package dev.ron.service.status;

import org.jspecify.annotations.NullMarked;
