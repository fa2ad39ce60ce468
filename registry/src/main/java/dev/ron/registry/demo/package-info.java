/** A small log with three signers, for trying things out. */
@NullMarked
package dev.ron.registry.demo;

import org.jspecify.annotations.NullMarked;
