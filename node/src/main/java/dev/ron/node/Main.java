package dev.ron.node;

/** Entry of the {@code ron} command. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.out.println("ron " + String.join(" ", args));
    }
}
