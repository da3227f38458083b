package io.carlos.cli.command;

import io.carlos.cli.command.ParameterType.Multiplicity;
import io.carlos.cli.exit.CliException;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.shell.core.command.CommandArgument;
import org.springframework.shell.core.command.CommandContext;
import org.springframework.shell.core.command.annotation.Argument;

/**
 * The argument at one place; the command sees to it that it was given, unless it has a default or the parameter is an Optional.
 *
 * @param name as shown to the user
 * @param index from 0
 */
record ArgumentBinding(String name, int index, String defaultValue, String description, ParameterType type)
        implements ParameterBinding {

    static ArgumentBinding of(Argument annotation, Parameter parameter) {
        ParameterType type = ParameterType.of(parameter);
        if (type.multiplicity() == Multiplicity.LIST) {
            throw new IllegalArgumentException("one argument makes no list: use @Arguments");
        }
        return new ArgumentBinding(
                shownName(parameter), annotation.index(), annotation.defaultValue(), annotation.description(), type);
    }

    /** {@code runId} is shown as RUN-ID. */
    static String shownName(Parameter parameter) {
        return parameter.getName().replaceAll("([a-z0-9])([A-Z])", "$1-$2").toUpperCase(Locale.ROOT);
    }

    boolean required() {
        return defaultValue.isEmpty() && type.multiplicity() == Multiplicity.ONE;
    }

    @Override
    public Object valueFrom(CommandContext context) {
        Optional<Object> value = word(context).map(this::read);
        return type.multiplicity() == Multiplicity.OPTIONAL ? value : value.orElseThrow();
    }

    private Optional<String> word(CommandContext context) {
        List<CommandArgument> given = context.parsedInput().arguments();
        if (index < given.size()) {
            return Optional.of(given.get(index).value());
        }
        return Optional.of(defaultValue).filter(text -> !text.isEmpty());
    }

    private Object read(String text) {
        try {
            return type.reader().read(text);
        } catch (IllegalArgumentException e) {
            throw CliException.usage(name + ": " + e.getMessage());
        }
    }

    @Override
    public String usage() {
        return required() ? name : "[" + name + "]";
    }
}
