/** Actions on nodes and the audit log that is written before them. */
@NullMarked
package dev.ron.admin.action;

import org.jspecify.annotations.NullMarked;
