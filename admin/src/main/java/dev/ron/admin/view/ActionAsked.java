package dev.ron.admin.view;

import java.util.Optional;

/**
 * The body of {@code POST /api/nodes/{id}/reload}, {@code /drain}, {@code /resume} and {@code /shutdown}.
 *
 * @param confirm the node's id, typed by a person
 * @param reason why; 8 to 280 characters, needed where the node is {@code prod}
 */
public record ActionAsked(String confirm, Optional<String> reason) {}
