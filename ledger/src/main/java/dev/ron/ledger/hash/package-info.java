@NullMarked
package dev.ron.ledger.hash;

import org.jspecify.annotations.NullMarked;
