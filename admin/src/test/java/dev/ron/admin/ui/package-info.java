/** The console's pages: that what is committed is what was built, and that it works in a real browser. */
@NullMarked
package dev.ron.admin.ui;

import org.jspecify.annotations.NullMarked;
