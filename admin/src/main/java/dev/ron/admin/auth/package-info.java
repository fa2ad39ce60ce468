/** Who asks, and what that one may do; decided from memory, per request. */
@NullMarked
package dev.ron.admin.auth;

import org.jspecify.annotations.NullMarked;
