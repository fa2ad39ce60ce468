/** Every item of a seed has a proof that exists. */
@NullMarked
package dev.ron.service.seeds;

import org.jspecify.annotations.NullMarked;
