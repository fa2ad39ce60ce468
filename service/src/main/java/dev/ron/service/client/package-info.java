/** HTTP clients that services own. */
@NullMarked
package dev.ron.service.client;

import org.jspecify.annotations.NullMarked;
