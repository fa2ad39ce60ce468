/** Whose request it is, and what each tenant is entitled to. */
@NullMarked
package dev.ron.gateway.tenant;

import org.jspecify.annotations.NullMarked;
