@NullMarked
package dev.ron.node.cert;

import org.jspecify.annotations.NullMarked;
