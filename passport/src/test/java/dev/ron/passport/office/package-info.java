@NullMarked
package dev.ron.passport.office;

import org.jspecify.annotations.NullMarked;
