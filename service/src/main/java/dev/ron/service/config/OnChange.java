package dev.ron.service.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a change of this key takes, for a component or for a whole record; the nearest one counts.
 *
 * <p>Without it a key needs a restart: being changeable while running is a promise that somebody has to make.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
public @interface OnChange {
    Change value();
}
