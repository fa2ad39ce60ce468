/** What the registry knows and how it changes: proposals, approvals, commits; one writer, readers of whole snapshots. */
@NullMarked
package dev.ron.registry.book;

import org.jspecify.annotations.NullMarked;
