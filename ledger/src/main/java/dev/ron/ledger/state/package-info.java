@NullMarked
package dev.ron.ledger.state;

import org.jspecify.annotations.NullMarked;
