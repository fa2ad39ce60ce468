/** The JSON documents of the console's API, one record each; the reference and the TypeScript types are generated from them. */
@NullMarked
package dev.ron.admin.view;

import org.jspecify.annotations.NullMarked;
