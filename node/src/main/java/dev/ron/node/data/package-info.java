/** What a node keeps on disk, and the credential of its operator. */
@NullMarked
package dev.ron.node.data;

import org.jspecify.annotations.NullMarked;
