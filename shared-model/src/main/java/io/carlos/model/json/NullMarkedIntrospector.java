package io.carlos.model.json;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/**
 * Makes documents keep what the types promise: a record's component must be there and must not be null, unless its type
 * is {@link Nullable}. Without it a missing member would be a null that the compiler has ruled out.
 */
final class NullMarkedIntrospector extends NopAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
        RecordComponent component = component(member);
        return component == null ? null : !isNullable(component);
    }

    @Override
    public JsonSetter.Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
        RecordComponent component = component(annotated);
        if (component == null) {
            return JsonSetter.Value.empty();
        }
        return JsonSetter.Value.construct(isNullable(component) ? Nulls.SET : Nulls.FAIL, Nulls.FAIL);
    }

    private static @Nullable RecordComponent component(Annotated annotated) {
        // What gathers the unknown members is no member itself.
        if (annotated instanceof AnnotatedParameter parameter
                && !parameter.hasAnnotation(JsonAnySetter.class)
                && parameter.getDeclaringClass().isRecord()) {
            RecordComponent[] components = parameter.getDeclaringClass().getRecordComponents();
            boolean canonical = parameter.getOwner().getParameterCount() == components.length;
            return canonical ? components[parameter.getIndex()] : null;
        }
        return null;
    }

    private static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }
}
