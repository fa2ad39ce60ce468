/** The file system as the store sees it: few calls, each of which a test can make fail. */
@NullMarked
package dev.ron.registry.disk;

import org.jspecify.annotations.NullMarked;
