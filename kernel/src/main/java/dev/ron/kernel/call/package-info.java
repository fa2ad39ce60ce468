/** What travels with a request: context, questions and their exactly-once answers. */
@NullMarked
package dev.ron.kernel.call;

import org.jspecify.annotations.NullMarked;
