@NullMarked
package dev.ron.gateway.coding;

import org.jspecify.annotations.NullMarked;
