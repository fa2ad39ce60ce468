@NullMarked
package dev.ron.passport.kms;

import org.jspecify.annotations.NullMarked;
