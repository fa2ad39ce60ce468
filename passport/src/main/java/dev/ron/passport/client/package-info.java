/** Who may ask the office: clients and their keys. */
@NullMarked
package dev.ron.passport.client;

import org.jspecify.annotations.NullMarked;
