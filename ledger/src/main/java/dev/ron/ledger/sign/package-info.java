@NullMarked
package dev.ron.ledger.sign;

import org.jspecify.annotations.NullMarked;
