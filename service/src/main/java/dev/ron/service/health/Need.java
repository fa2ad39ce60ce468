package dev.ron.service.health;

/**
 * What a readiness key is needed for.
 *
 * <p>Writes need every key and reads only those tagged READ. So writes always fail first: there is no state in which a
 * process can write and cannot read.
 */
public enum Need {
    READ,
    WRITE
}
