@NullMarked
package dev.ron.ledger.note;

import org.jspecify.annotations.NullMarked;
