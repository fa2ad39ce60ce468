/** The edge as a service: its configuration becomes tasks, queues and a listener. */
@NullMarked
package dev.ron.edge;

import org.jspecify.annotations.NullMarked;
