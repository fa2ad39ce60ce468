@NullMarked
package dev.ron.ledger.json;

import org.jspecify.annotations.NullMarked;
