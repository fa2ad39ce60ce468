/** The [gateway] section: every knob with its default beside it. */
@NullMarked
package dev.ron.gateway.config;

import org.jspecify.annotations.NullMarked;
