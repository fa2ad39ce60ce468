@NullMarked
package dev.ron.ledger.bundle;

import org.jspecify.annotations.NullMarked;
