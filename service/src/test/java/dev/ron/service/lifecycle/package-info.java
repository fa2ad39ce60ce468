@NullMarked
package dev.ron.service.lifecycle;

import org.jspecify.annotations.NullMarked;
