@NullMarked
package dev.ron.passport.issue;

import org.jspecify.annotations.NullMarked;
