package io.carlos.cli.command;

import java.lang.reflect.Parameter;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.CommandContext;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Arguments;
import org.springframework.shell.core.command.annotation.Option;

/** Where the value of one parameter of a command's method comes from. */
sealed interface ParameterBinding
        permits ArgumentBinding, OptionBinding, ParameterBinding.ContextBinding, RemainingArgumentsBinding {
    /** @throws io.carlos.cli.exit.CliException the words given for it will not do */
    @Nullable
    Object valueFrom(CommandContext context);

    /** How it is written in the usage line; empty when it is not written by the user. */
    String usage();

    /**
     * @param positional how many parameters of the method have a place of their own among the arguments
     * @throws IllegalArgumentException when no value can come from a command line
     */
    static ParameterBinding of(Parameter parameter, int positional) {
        if (parameter.getType() == CommandContext.class) {
            return new ContextBinding();
        }
        Option option = parameter.getAnnotation(Option.class);
        if (option != null) {
            return OptionBinding.of(option, parameter);
        }
        Argument argument = parameter.getAnnotation(Argument.class);
        if (argument != null) {
            return ArgumentBinding.of(argument, parameter);
        }
        if (parameter.isAnnotationPresent(Arguments.class)) {
            return RemainingArgumentsBinding.of(parameter, positional);
        }
        throw new IllegalArgumentException("annotate it with @Option, @Argument or @Arguments");
    }

    /** The context itself. */
    record ContextBinding() implements ParameterBinding {
        @Override
        public Object valueFrom(CommandContext context) {
            return context;
        }

        @Override
        public String usage() {
            return "";
        }
    }
}
