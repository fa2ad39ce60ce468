@NullMarked
package dev.ron.node.fsck;

import org.jspecify.annotations.NullMarked;
