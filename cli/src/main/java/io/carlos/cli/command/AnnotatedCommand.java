package io.carlos.cli.command;

import io.carlos.cli.exit.CliException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.AbstractCommand;
import org.springframework.shell.core.command.CommandContext;
import org.springframework.shell.core.command.ExitStatus;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;

/**
 * A command that is a method. Each of its parameters is a {@code CommandContext}, or has {@code @Option} or {@code @Argument}, or, the last one,
 * {@code @Arguments}; it is of a type that {@link ValueReader} knows, or an Optional or List of it: an option given repeatedly fills a List. The
 * method returns nothing or its exit code, and throws whatever it likes.
 *
 * <p>Spring Shell's own adapter for such methods takes only the first of repeated options, splits lists at commas, ignores defaults of
 * primitives and wraps every exception.
 */
public final class AnnotatedCommand extends AbstractCommand {
    private final Method method;
    private final Supplier<?> target;
    private final List<ParameterBinding> bindings;

    private AnnotatedCommand(Command declaration, Method method, Supplier<?> target) {
        super(
                String.join(" ", declaration.name()),
                declaration.description(),
                declaration.group(),
                declaration.help(),
                declaration.hidden());
        this.method = method;
        this.target = target;
        this.bindings = bindings(method);
        setAliases(List.of(declaration.alias()));
        setOptions(options().map(OptionBinding::option).toList());
    }

    /**
     * @param method annotated with {@link Command}
     * @param target gives the object to call it on, when it is called
     * @throws IllegalStateException the method is no command, as the message explains
     */
    static AnnotatedCommand of(Method method, Supplier<?> target) {
        Command declaration = method.getAnnotation(Command.class);
        if (declaration == null
                || declaration.name().length == 0
                || declaration.description().isEmpty()) {
            throw new IllegalStateException(method + ": a command is annotated with its name and description");
        }
        if (method.getReturnType() != void.class && method.getReturnType() != int.class) {
            throw new IllegalStateException(method + ": a command returns nothing or its exit code");
        }
        method.setAccessible(true);
        return new AnnotatedCommand(declaration, method, target);
    }

    private static List<ParameterBinding> bindings(Method method) {
        int positional = (int) Stream.of(method.getParameters())
                .filter(parameter -> parameter.isAnnotationPresent(Argument.class))
                .count();
        return Stream.of(method.getParameters())
                .map(parameter -> {
                    try {
                        return ParameterBinding.of(parameter, positional);
                    } catch (IllegalArgumentException | CliException e) {
                        throw new IllegalStateException(
                                method + ": parameter " + parameter.getName() + ": " + e.getMessage(), e);
                    }
                })
                .toList();
    }

    @Override
    public ExitStatus doExecute(CommandContext context) throws Exception {
        checkArgumentCount(context.parsedInput().arguments().size());
        @Nullable
        Object[] values =
                bindings.stream().map(binding -> binding.valueFrom(context)).toArray();
        try {
            return method.invoke(target.get(), values) instanceof Integer code
                    ? new ExitStatus(code, "")
                    : ExitStatus.OK;
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception exception ? exception : e;
        }
    }

    private void checkArgumentCount(int given) {
        arguments()
                .filter(argument -> argument.required() && argument.index() >= given)
                .findFirst()
                .ifPresent(missing -> {
                    throw CliException.usage(
                            "\"" + getName() + "\" needs the argument " + missing.name() + "; write it as in \"carlos "
                                    + getName() + " " + usage().collect(Collectors.joining(" ")) + "\"");
                });
        long taken = arguments().count();
        boolean open = bindings.stream().anyMatch(RemainingArgumentsBinding.class::isInstance);
        if (given > taken && !open) {
            throw CliException.usage("\"" + getName() + "\" takes " + (taken == 0 ? "no" : "only " + taken)
                    + (taken == 1 ? " argument" : " arguments") + " but got " + given
                    + "; quote an argument that has blanks");
        }
    }

    /** Its options, in the order of the parameters. */
    Stream<OptionBinding> options() {
        return bindings.stream().filter(OptionBinding.class::isInstance).map(OptionBinding.class::cast);
    }

    /** The arguments with a place of their own, in the order of the parameters. */
    Stream<ArgumentBinding> arguments() {
        return bindings.stream().filter(ArgumentBinding.class::isInstance).map(ArgumentBinding.class::cast);
    }

    /** What follows the name in the usage line. */
    Stream<String> usage() {
        return Stream.of(OptionBinding.class, ArgumentBinding.class, RemainingArgumentsBinding.class)
                .flatMap(kind -> bindings.stream().filter(kind::isInstance))
                .map(ParameterBinding::usage);
    }

    /** The whole text that {@code --help} prints; what was declared as help stands in the middle of it. */
    @Override
    public String getHelp() {
        return CommandHelp.of(this, super.getHelp());
    }
}
