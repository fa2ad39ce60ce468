/** Where requests go: targets, their health, and the choice between them. */
@NullMarked
package dev.ron.gateway.upstream;

import org.jspecify.annotations.NullMarked;
