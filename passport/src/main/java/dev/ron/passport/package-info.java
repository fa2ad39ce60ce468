/** The passport office: its configuration, its parts, and the service that puts them together. */
@NullMarked
package dev.ron.passport;

import org.jspecify.annotations.NullMarked;
