package io.carlos.deploy.inside;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Tests that change the machine they run on as they please. Elsewhere than in a box they do nothing, whoever runs them. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfEnvironmentVariable(named = Lane.VARIABLE, matches = ".+", disabledReason = "this machine is no box of tests")
@interface InsideBox {}
