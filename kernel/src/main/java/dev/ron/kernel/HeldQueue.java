package dev.ron.kernel;

import dev.ron.kernel.topology.QueueSpec;
import java.util.function.IntSupplier;

/** A declared queue that its service keeps itself, and how full it is now. */
public record HeldQueue(QueueSpec spec, IntSupplier depth) {}
