/** What a service is made of, declared once as data; documents are generated from it. */
@NullMarked
package dev.ron.kernel.topology;

import org.jspecify.annotations.NullMarked;
