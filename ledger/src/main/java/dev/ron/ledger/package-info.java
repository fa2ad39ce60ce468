@NullMarked
package dev.ron.ledger;

import org.jspecify.annotations.NullMarked;
