/** Who may use a route: tokens judged on the loop where that is free, and beside it where it costs signatures. */
@NullMarked
package dev.ron.gateway.auth;

import org.jspecify.annotations.NullMarked;
