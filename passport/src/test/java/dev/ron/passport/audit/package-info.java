@NullMarked
package dev.ron.passport.audit;

import org.jspecify.annotations.NullMarked;
