/** What a node says about itself: the status and version documents. */
@NullMarked
package dev.ron.service.status;

import org.jspecify.annotations.NullMarked;
