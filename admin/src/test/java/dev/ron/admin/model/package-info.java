/** The console as a small machine of which every order of steps is tried. */
@NullMarked
package dev.ron.admin.model;

import org.jspecify.annotations.NullMarked;
