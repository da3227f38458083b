package io.carlos.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.cli.CarlosCli;
import io.carlos.samples.SampleGroups;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.shell.core.command.Command;
import org.springframework.shell.core.command.CommandRegistry;

class CommandConfigurationTest {
    @Test
    void groupIsNotCreatedForItsCommandsToBeKnown() {
        try (var context =
                new AnnotationConfigApplicationContext(CommandConfiguration.class, SampleGroups.Uncreatable.class)) {
            assertThat(context.getBean(CommandRegistry.class).getCommandByName("never"))
                    .isNotNull();
        }
    }

    @Test
    void twoCommandsOfOneNameAreRefused() {
        assertThatThrownBy(() -> new AnnotationConfigApplicationContext(
                                CommandConfiguration.class, SampleGroups.One.class, SampleGroups.Another.class)
                        .close())
                .hasStackTraceContaining("another command has the name \"same\"");
    }

    @Test
    void everyCommandOfCarlosStandsInAGroupAndExplainsItself() {
        try (var context = new AnnotationConfigApplicationContext(CarlosCli.class)) {
            CommandTree tree = context.getBean(CommandTree.class);
            assertThat(tree.root().commands()).isNotEmpty().allSatisfy(command -> {
                assertThat(command.getGroup()).as(command.getName()).isNotEmpty();
                assertThat(command.getDescription()).as(command.getName()).matches("[A-Z].*[^.]");
                assertThat(command.getHelp()).contains("Usage: carlos " + command.getName());
            });
            assertThat(tree.root().commands()).extracting(Command::getName).contains("help", "version", "completion");
        }
    }
}
