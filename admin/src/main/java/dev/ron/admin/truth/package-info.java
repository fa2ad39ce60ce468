/** What a node said, and the one function that turns it into a state with its causes. */
@NullMarked
package dev.ron.admin.truth;

import org.jspecify.annotations.NullMarked;
