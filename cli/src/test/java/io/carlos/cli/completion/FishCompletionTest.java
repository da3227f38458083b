package io.carlos.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.command.CommandTree;
import io.carlos.cli.command.SampleCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FishCompletionTest {
    @TempDir
    Path directory;

    private ShellSession fish;

    @BeforeEach
    void openFish() {
        fish = new ShellSession(directory, "fish", "--no-config").assumeInstalled();
    }

    @Test
    void commandIsCompletedWithItsDescription() throws Exception {
        assertThat(complete("carlos ru"))
                .containsExactly("run\tRun a command beside an instance", "runs\tlist, ls, show");
        assertThat(complete("carlos runs l")).containsExactly("list\tList runs", "ls\tList runs");
    }

    @Test
    void optionIsCompletedWithItsDescription() throws Exception {
        assertThat(complete("carlos run --de")).containsExactly("--detach\tDon't wait");
    }

    @Test
    void valueIsCompletedAfterABlankAndAfterAnEqualsSign() throws Exception {
        assertThat(complete("carlos run --output j")).containsExactly("json\tHow: shown");
        assertThat(complete("carlos run --output=j")).containsExactly("--output=json\tHow: shown");
    }

    @Test
    void fileIsCompletedWhereOneIsExpectedOnly() throws Exception {
        Files.createFile(directory.resolve("some-file"));

        assertThat(complete("carlos run --file some")).containsExactly("some-file");
        assertThat(complete("carlos run -- some")).containsExactly("some-file");
        assertThat(complete("carlos run some")).isEmpty();
        assertThat(complete("carlos run --host some")).isEmpty();
    }

    private List<String> complete(String line) throws Exception {
        String script = FishCompletion.script(CompletionNode.all(new CommandTree(new SampleCommands().registry())));
        return fish.run(script + "\ncomplete -C " + Quote.fish(line));
    }
}
