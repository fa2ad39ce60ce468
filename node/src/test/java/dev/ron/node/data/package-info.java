@NullMarked
package dev.ron.node.data;

import org.jspecify.annotations.NullMarked;
