package io.carlos.cli.command;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.shell.core.command.CommandRegistry;
import org.springframework.shell.core.command.annotation.Command;

/** Puts the methods of all {@link CommandGroup}s into Spring Shell's registry, without creating the groups. */
@Configuration(proxyBeanMethods = false)
class CommandConfiguration {
    @Bean
    static CommandRegistry commandRegistry(ConfigurableListableBeanFactory beans) {
        CommandRegistry registry = new CommandRegistry();
        for (String name : beans.getBeanNamesForAnnotation(CommandGroup.class)) {
            Class<?> group = beans.getType(name);
            if (group != null) {
                Stream.of(group.getDeclaredMethods())
                        .filter(method -> method.isAnnotationPresent(Command.class))
                        .forEach(method -> register(registry, method, beans, name));
            }
        }
        return registry;
    }

    private static void register(
            CommandRegistry registry, Method method, ConfigurableListableBeanFactory beans, String group) {
        AnnotatedCommand command = AnnotatedCommand.of(method, () -> beans.getBean(group));
        if (registry.getCommands().contains(command)) {
            throw new IllegalStateException(method + ": another command has the name \"" + command.getName() + "\"");
        }
        registry.registerCommand(command);
    }

    @Bean
    static CommandTree commandTree(CommandRegistry registry) {
        return new CommandTree(registry);
    }
}
