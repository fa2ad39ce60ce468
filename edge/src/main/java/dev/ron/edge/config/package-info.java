/** The keys of the section and what they mean. */
@NullMarked
package dev.ron.edge.config;

import org.jspecify.annotations.NullMarked;
