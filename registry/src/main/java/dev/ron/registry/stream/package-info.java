/** News of commits to whoever reads along, each at its own pace. */
@NullMarked
package dev.ron.registry.stream;

import org.jspecify.annotations.NullMarked;
