/** The built-in demo application on port N+6. */
@NullMarked
package dev.ron.node.demo;

import org.jspecify.annotations.NullMarked;
