@NullMarked
package dev.ron.service.log;

import org.jspecify.annotations.NullMarked;
