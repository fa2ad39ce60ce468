@NullMarked
package dev.ron.ledger.tree;

import org.jspecify.annotations.NullMarked;
