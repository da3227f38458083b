package io.carlos.cli.command;

import io.carlos.cli.command.ParameterType.Multiplicity;
import io.carlos.cli.exit.CliException;
import java.lang.reflect.Parameter;
import java.util.List;
import org.springframework.shell.core.command.CommandArgument;
import org.springframework.shell.core.command.CommandContext;

/**
 * All the arguments from one place on, in their order; none is an empty list.
 *
 * @param from the index of the first, which is the number of {@link ArgumentBinding}s of the command
 */
record RemainingArgumentsBinding(String name, int from, ParameterType type) implements ParameterBinding {

    static RemainingArgumentsBinding of(Parameter parameter, int from) {
        ParameterType type = ParameterType.of(parameter);
        if (type.multiplicity() != Multiplicity.LIST) {
            throw new IllegalArgumentException("@Arguments makes a List");
        }
        return new RemainingArgumentsBinding(ArgumentBinding.shownName(parameter), from, type);
    }

    @Override
    public List<Object> valueFrom(CommandContext context) {
        return context.parsedInput().arguments().stream()
                .skip(from)
                .map(CommandArgument::value)
                .map(this::read)
                .toList();
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
        return "[-- " + name + "...]";
    }
}
