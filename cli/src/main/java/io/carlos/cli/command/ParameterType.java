package io.carlos.cli.command;

import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;

/**
 * The type of a command's parameter, taken apart.
 *
 * @param value the type of one value: T of {@code T}, {@code Optional<T>} and {@code List<T>}
 */
record ParameterType(Class<?> value, Multiplicity multiplicity, ValueReader reader) {
    enum Multiplicity {
        ONE,
        OPTIONAL,
        LIST
    }

    /** @throws IllegalArgumentException when words cannot be made such a value */
    static ParameterType of(Parameter parameter) {
        Multiplicity multiplicity = multiplicity(parameter.getType());
        Type declared = parameter.getParameterizedType();
        Type value = multiplicity == Multiplicity.ONE || !(declared instanceof ParameterizedType parameterized)
                ? declared
                : parameterized.getActualTypeArguments()[0];
        if (value instanceof Class<?> type) {
            Optional<ValueReader> reader = ValueReader.forType(type);
            if (reader.isPresent()) {
                return new ParameterType(type, multiplicity, reader.get());
            }
        }
        throw new IllegalArgumentException(value.getTypeName() + " cannot be read off a command line:"
                + " take a String, a number, a Path, a Duration, an enum or a type with a static of(String)");
    }

    private static Multiplicity multiplicity(Class<?> type) {
        if (type == Optional.class) {
            return Multiplicity.OPTIONAL;
        }
        return type == List.class ? Multiplicity.LIST : Multiplicity.ONE;
    }

    boolean isFlag() {
        return value == boolean.class;
    }
}
