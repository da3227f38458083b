package io.carlos.cli.command;

import io.carlos.cli.command.ParameterType.Multiplicity;
import io.carlos.cli.exit.CliException;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.CommandContext;
import org.springframework.shell.core.command.CommandOption;
import org.springframework.shell.core.command.annotation.Option;
import org.springframework.util.StringUtils;

/**
 * An option. Absent and without a default it is false, an empty list, an empty Optional, or null.
 *
 * @param option its declaration; the type is that of one value
 */
record OptionBinding(CommandOption option, String name, ParameterType type) implements ParameterBinding {

    static OptionBinding of(Option annotation, Parameter parameter) {
        String name = annotation.longName().isEmpty() ? parameter.getName() : annotation.longName();
        ParameterType type = ParameterType.of(parameter);
        CommandOption option = CommandOption.with()
                .longName(name)
                .shortName(annotation.shortName())
                .description(annotation.description())
                .required(annotation.required())
                .defaultValue(annotation.defaultValue())
                .type(type.value())
                .build();
        OptionBinding binding = new OptionBinding(option, name, type);
        binding.check(parameter);
        return binding;
    }

    private void check(Parameter parameter) {
        if (option.shortName() == 'h' || name.equals("help") || name.equals("verbose")) {
            throw new IllegalArgumentException("-h, --help and --verbose are options of every command");
        }
        boolean absentIsNull =
                !type.isFlag() && type.multiplicity() == Multiplicity.ONE && !required() && !hasDefault();
        if (absentIsNull && parameter.getType().isPrimitive()) {
            throw new IllegalArgumentException(
                    "a " + parameter.getType() + " cannot be absent: give it a default or require it");
        }
        if (hasDefault()) {
            read(String.valueOf(option.defaultValue()));
        }
    }

    private boolean required() {
        return Boolean.TRUE.equals(option.required());
    }

    private boolean hasDefault() {
        return StringUtils.hasLength(option.defaultValue());
    }

    @Override
    public @Nullable Object valueFrom(CommandContext context) {
        List<Object> given = context.parsedInput().options().stream()
                .filter(candidate -> name.equals(candidate.longName()))
                .map(candidate -> read(Objects.requireNonNullElse(candidate.value(), "")))
                .toList();
        if (given.isEmpty() && required()) {
            throw CliException.usage("--" + name + " is missing; give it as " + written());
        }
        if (given.size() > 1 && type.multiplicity() != Multiplicity.LIST) {
            throw CliException.usage("--" + name + " was given " + given.size() + " times; give it once");
        }
        List<Object> values =
                given.isEmpty() && hasDefault() ? List.of(read(String.valueOf(option.defaultValue()))) : given;
        return switch (type.multiplicity()) {
            case LIST -> values;
            case OPTIONAL -> values.stream().findFirst();
            case ONE -> values.stream().findFirst().orElse(type.isFlag() ? false : null);
        };
    }

    private Object read(String text) {
        try {
            return type.reader().read(text);
        } catch (IllegalArgumentException e) {
            throw CliException.usage("--" + name + ": " + e.getMessage());
        }
    }

    /** As in {@code --host HOST} or {@code --output table|json}. */
    String written() {
        return "--" + name + (type.isFlag() ? "" : " " + placeholder());
    }

    private String placeholder() {
        return type.value().isEnum()
                ? ValueReader.constants(type.value()).collect(Collectors.joining("|"))
                : name.toUpperCase(Locale.ROOT);
    }

    boolean repeats() {
        return type.multiplicity() == Multiplicity.LIST;
    }

    Optional<String> defaultValue() {
        return Optional.ofNullable(option.defaultValue()).filter(text -> !text.isEmpty());
    }

    @Override
    public String usage() {
        return (required() ? written() : "[" + written() + "]") + (repeats() ? "..." : "");
    }
}
