package io.carlos.cli.command;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.stereotype.Component;

/**
 * A bean whose methods with {@link org.springframework.shell.core.command.annotation.Command @Command} are commands of carlos; it is created
 * when one of them is executed. {@link AnnotatedCommand} says what such a method may look like.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Component
public @interface CommandGroup {}
