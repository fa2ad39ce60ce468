/** {@code ron fsck}: reads a stopped node's data folder and says what is wrong with it; it repairs nothing. */
@NullMarked
package dev.ron.node.fsck;

import org.jspecify.annotations.NullMarked;
