package dev.ron.service.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The inclusive bounds of a duration, size or fraction, written in the unit of the key: {@code @Within(min = "100ms", max = "5m")}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Within {
    String min() default "";

    String max() default "";
}
