@NullMarked
package dev.ron.ledger.quorum;

import org.jspecify.annotations.NullMarked;
