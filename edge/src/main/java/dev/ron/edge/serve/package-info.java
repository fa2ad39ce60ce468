/** Answers: from memory on the event loop, from files with the help of a pool. */
@NullMarked
package dev.ron.edge.serve;

import org.jspecify.annotations.NullMarked;
