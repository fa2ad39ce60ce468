/** svc-admin: the console that tells the truth about nodes. */
@NullMarked
package dev.ron.admin;

import org.jspecify.annotations.NullMarked;
