package dev.ron.service.health;

/** Whether a key is met now, and if not, why. */
public record KeyState(String name, Need need, boolean met, String cause) {}
