/** The gateway's concurrency under a model checker, each proof with a broken twin that it must catch. */
@NullMarked
package dev.ron.proof.gateway;

import org.jspecify.annotations.NullMarked;
