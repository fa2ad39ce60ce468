@org.jspecify.annotations.NullMarked
package dev.ron.registry.stream;
