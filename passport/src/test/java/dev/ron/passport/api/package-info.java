@NullMarked
package dev.ron.passport.api;

import org.jspecify.annotations.NullMarked;
