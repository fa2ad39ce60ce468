@NullMarked
package dev.ron.ledger.log;

import org.jspecify.annotations.NullMarked;
