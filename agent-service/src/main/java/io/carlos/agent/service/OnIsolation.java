package io.carlos.agent.service;

import io.carlos.model.records.Isolation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Only where the box gives an isolation, or only where it does not. One that is not told gives units. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnIsolation.Given.class)
@interface OnIsolation {
    Isolation value();

    /** Whether it must be given, or must not. */
    boolean given() default true;

    /** What decides. */
    final class Given implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            MergedAnnotation<OnIsolation> on = metadata.getAnnotations().get(OnIsolation.class);
            boolean given = Binder.get(context.getEnvironment())
                    .bind(AgentProperties.PREFIX + ".isolations", Bindable.setOf(Isolation.class))
                    .orElse(Set.of(Isolation.UNIT))
                    .contains(on.getEnum("value", Isolation.class));
            return given == on.getBoolean("given");
        }
    }
}
