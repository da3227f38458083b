package io.carlos.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CommandHelpTest {
    private final CommandTree tree = new CommandTree(new SampleCommands().registry());

    @Test
    void optionsAreShownWithTheirValuesAndDefaults() {
        assertThat(help("run")).isEqualTo("""
                        carlos run: Run a command beside an instance

                        Usage: carlos run --host HOST [--file FILE]... [--timeout TIMEOUT] [--detach] [--output table|json] [-- WORDS...]

                        Options:
                          -H, --host HOST          Where (required)
                              --file FILE          What to upload (may be repeated)
                              --timeout TIMEOUT    How long (default: 10m)
                          -d, --detach             Don't wait
                              --output table|json  How: shown (default: table)
                          -h, --help               Show how the command is used, and do nothing
                              --verbose            Show warnings as they happen, and the cause of a failure""");
    }

    @Test
    void explanationAndArgumentsStandBetweenUsageAndOptions() {
        assertThat(help("runs", "show")).startsWith("""
                        carlos runs show: Show a run

                        Usage: carlos runs show [--from FROM] RUN-ID

                        A long explanation.

                        Arguments:
                          RUN-ID  The run

                        Options:
                        """);
    }

    private String help(String... words) {
        return tree.find(List.of(words)).orElseThrow().command().orElseThrow().getHelp();
    }
}
