@NullMarked
package dev.ron.gateway.auth;

import org.jspecify.annotations.NullMarked;
