/** W3C trace context always; spans to an OTLP collector when one is configured. */
@NullMarked
package dev.ron.service.trace;

import org.jspecify.annotations.NullMarked;
