@NullMarked
package dev.ron.passport.policy;

import org.jspecify.annotations.NullMarked;
