/** Rules on the byte code of every module. */
@NullMarked
package dev.ron.proof.code;

import org.jspecify.annotations.NullMarked;
