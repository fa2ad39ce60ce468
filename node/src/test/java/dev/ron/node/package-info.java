@NullMarked
package dev.ron.node;

import org.jspecify.annotations.NullMarked;
