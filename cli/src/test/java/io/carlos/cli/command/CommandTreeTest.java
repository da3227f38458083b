package io.carlos.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.shell.core.command.Command;

class CommandTreeTest {
    private final CommandTree tree = new CommandTree(new SampleCommands().registry());

    @Test
    void wordsOfNamesAreChildrenInAlphabeticalOrder() {
        assertThat(tree.root().children()).extracting(CommandTree.Node::name).containsExactly("run", "runs", "vm");
        assertThat(node("runs").children())
                .extracting(CommandTree.Node::name)
                .containsExactly("runs list", "runs ls", "runs show");
    }

    @Test
    void commonWordsHaveNoCommand() {
        assertThat(node("runs").command()).isEmpty();
        assertThat(node("runs").description()).isEqualTo("list, ls, show");
    }

    @Test
    void aliasIsANodeButNoFurtherCommand() {
        assertThat(node("runs", "ls").command()).isEqualTo(node("runs", "list").command());
        assertThat(node("runs").commands()).extracting(Command::getName).containsExactly("runs list", "runs show");
    }

    @Test
    void hiddenCommandIsFoundButNotOffered() {
        assertThat(node("secret").command()).isPresent();
        assertThat(tree.root().commands()).extracting(Command::getName).doesNotContain("secret");
    }

    @Test
    void wordsThatLeadNowhereAreNotFound() {
        assertThat(tree.find(List.of("runs", "nope"))).isEmpty();
        assertThat(tree.find(List.of("nope", "runs"))).isEmpty();
    }

    private CommandTree.Node node(String... words) {
        return tree.find(List.of(words)).orElseThrow();
    }
}
