/** What commits cost beside etcd's puts, and what recovery and readers cost. */
@NullMarked
package dev.ron.bench.registry;

import org.jspecify.annotations.NullMarked;
