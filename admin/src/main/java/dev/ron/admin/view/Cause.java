package dev.ron.admin.view;

import java.util.List;

/**
 * Why something is not green.
 *
 * @param key stable, for translation: {@code readyz.missing}
 * @param args what the key speaks of: {@code kms}
 * @param text the same in English
 */
public record Cause(String key, List<String> args, String text) {}
