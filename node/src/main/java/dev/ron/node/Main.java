package dev.ron.node;

import dev.ron.node.cli.RonCommand;

/** Entry of the {@code ron} command. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(RonCommand.run(args));
    }
}
