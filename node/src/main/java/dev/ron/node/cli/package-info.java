/** The commands of {@code ron}, one class each. */
@NullMarked
package dev.ron.node.cli;

import org.jspecify.annotations.NullMarked;
