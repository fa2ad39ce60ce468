package dev.ron.registry.commit;

import dev.ron.registry.book.Command;
import dev.ron.registry.book.Turn;

/** A command and who asks for it. */
public record Job(Command command, Turn.By by) {}
