package io.carlos.model.exec;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command for a machine.
 *
 * @param argv its words, which no shell reads
 * @param env added to what every command of the machine has in its environment
 * @param uid whom it runs as, not 0; null: the machine's default
 * @param workdir absolute; null: the machine's root directory
 * @param terminal of which size its terminal is; null: it has none
 */
public record ExecCommand(
        List<String> argv,
        Map<String, String> env,
        @Nullable Integer uid,
        @Nullable String workdir,
        @Nullable TerminalSize terminal) {
    public ExecCommand {
        argv = List.copyOf(argv);
        env = Map.copyOf(env);
    }
}
