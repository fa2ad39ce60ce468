@NullMarked
package dev.ron.service.config;

import org.jspecify.annotations.NullMarked;
