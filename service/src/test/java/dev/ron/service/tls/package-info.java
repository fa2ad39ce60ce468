@NullMarked
package dev.ron.service.tls;

import org.jspecify.annotations.NullMarked;
