/** Request targets, normal paths, path templates and the router. */
@NullMarked
package dev.ron.http.route;

import org.jspecify.annotations.NullMarked;
