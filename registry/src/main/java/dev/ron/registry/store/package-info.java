/** Where records are kept: batches that are durable whole or not at all. */
@NullMarked
package dev.ron.registry.store;

import org.jspecify.annotations.NullMarked;
