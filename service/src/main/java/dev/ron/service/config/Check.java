package dev.ron.service.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A rule between keys: a method of a config record that must answer true, or with nothing to say.
 *
 * <p>Its parameters are records around it or other sections, found by type. The value says the rule; {@link #key} names
 * the component to blame, so that the message can show its value and its line. A method that answers a String adds it to
 * the rule, such as what was probably meant; empty means that all is well.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Check {
    String value();

    String key() default "";
}
