package io.carlos.agent.service;

import io.carlos.model.records.Isolation;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether this box isolates instances by units, which it does unless it is told otherwise. */
class OnUnits implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return Binder.get(context.getEnvironment())
                .bind(AgentProperties.PREFIX + ".isolations", Bindable.setOf(Isolation.class))
                .orElse(Set.of(Isolation.UNIT))
                .contains(Isolation.UNIT);
    }

    /** The opposite. */
    static final class Never extends OnUnits {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !super.matches(context, metadata);
        }
    }
}
