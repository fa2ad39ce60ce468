@NullMarked
package dev.ron.ledger.model;

import org.jspecify.annotations.NullMarked;
