@NullMarked
package dev.ron.service.ops;

import org.jspecify.annotations.NullMarked;
