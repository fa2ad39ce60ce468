package dev.ron.service.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A rule between keys: a boolean method of a config record that must answer true.
 *
 * <p>Its parameters are records around it or other sections, found by type. The value says the rule; {@link #key} names
 * the component to blame, so that the message can show its value and its line.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Check {
    String value();

    String key() default "";
}
