@NullMarked
package dev.ron.passport;

import org.jspecify.annotations.NullMarked;
