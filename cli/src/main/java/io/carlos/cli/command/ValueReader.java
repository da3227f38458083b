package io.carlos.cli.command;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes the value of a parameter of one word of the command line. */
@FunctionalInterface
public interface ValueReader {
    /** @throws IllegalArgumentException with a message that names the text and says what is expected */
    Object read(String text);

    Map<Class<?>, ValueReader> SIMPLE = Map.of(
            String.class, text -> text,
            boolean.class, ValueReader::readBoolean,
            int.class, text -> readNumber(text, Integer::valueOf),
            Integer.class, text -> readNumber(text, Integer::valueOf),
            long.class, text -> readNumber(text, Long::valueOf),
            Long.class, text -> readNumber(text, Long::valueOf),
            Path.class, ValueReader::readPath,
            Duration.class, ValueReader::readDuration);

    /** The reader for a type: one of the simple ones, an enum, or a type with a static {@code of(String)}; empty for another type. */
    static Optional<ValueReader> forType(Class<?> type) {
        if (SIMPLE.containsKey(type)) {
            return Optional.of(SIMPLE.get(type));
        }
        if (type.isEnum()) {
            return Optional.of(text -> readConstant(text, type));
        }
        return Stream.of(type.getMethods())
                .filter(method -> method.getName().equals("of") && Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getReturnType() == type && method.getParameterCount() == 1)
                .filter(method -> method.getParameterTypes()[0] == String.class)
                .findFirst()
                .map(factory -> text -> make(factory, text));
    }

    /** How the constants of an enum are written on the command line. */
    static Stream<String> constants(Class<?> type) {
        return Stream.of(type.getEnumConstants()).map(ValueReader::spelled);
    }

    private static String spelled(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Object readConstant(String text, Class<?> type) {
        return Stream.of(type.getEnumConstants())
                .filter(constant -> spelled(constant).equals(text))
                .findFirst()
                .orElseThrow(() -> expected(text, constants(type).collect(Collectors.joining(" or "))));
    }

    private static Object readBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw expected(text, "true or false");
        };
    }

    private static Object readNumber(String text, Function<String, ? extends Number> parse) {
        try {
            return parse.apply(text);
        } catch (NumberFormatException _) {
            throw expected(text, "a whole number");
        }
    }

    private static Object readPath(String text) {
        if (text.isEmpty()) {
            throw expected(text, "the name of a file");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException _) {
            throw expected(text, "the name of a file");
        }
    }

    private static Object readDuration(String text) {
        Matcher matcher = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)").matcher(text);
        if (!matcher.matches()) {
            throw expected(text, "a number and a unit, such as 250ms, 90s, 10m or 2h");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    private static Object make(Method factory, String text) {
        try {
            return factory.invoke(null, text);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(factory + " failed for \"" + text + "\"", e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(factory + " cannot be called", e);
        }
    }

    private static IllegalArgumentException expected(String text, String what) {
        return new IllegalArgumentException("\"" + text + "\" is not " + what);
    }
}
