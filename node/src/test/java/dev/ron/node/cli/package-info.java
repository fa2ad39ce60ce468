@NullMarked
package dev.ron.node.cli;

import org.jspecify.annotations.NullMarked;
