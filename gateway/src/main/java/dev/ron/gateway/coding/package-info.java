/** Content codings on their way through: answers that are compressed, request bodies that are looked into. */
@NullMarked
package dev.ron.gateway.coding;

import org.jspecify.annotations.NullMarked;
