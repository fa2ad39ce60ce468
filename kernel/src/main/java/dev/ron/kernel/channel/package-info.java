/** Bounded ways from one task to another: mailbox, watch, broadcast. */
@NullMarked
package dev.ron.kernel.channel;

import org.jspecify.annotations.NullMarked;
