package io.carlos.agent.service.vm;

import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.model.exec.ExecCommand;
import io.carlos.model.exec.TerminalSize;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What is executed for a command. The wire to a machine has no terminals, so one that is to have one gets it from {@code
 * script(1)}, which every Debian has. That has a shell execute a text; the text depends on the number of words and the size
 * alone, and the words come to it in variables, which it expands in quotes and takes out of the environment: no shell ever
 * reads them as code.
 */
final class TerminalCommand {
    private static final String WORD = "CARLOS_WORD_";
    private static final String SHELL = "SHELL";
    private static final String SHELL_AFTERWARDS = "CARLOS_SHELL";
    private static final String TEXT_SHELL = "/bin/sh";

    private TerminalCommand() {}

    static StreamingExecSpec of(ExecCommand command) {
        TerminalSize size = command.terminal();
        // An empty command is refused by the machine, as one without a terminal is.
        return size == null || command.argv().isEmpty()
                ? spec(command, command.argv(), command.env())
                : spec(command, script(size, command.argv().size()), environment(command));
    }

    private static StreamingExecSpec spec(ExecCommand command, List<String> argv, Map<String, String> environment) {
        return new StreamingExecSpec(
                argv, Optional.ofNullable(command.uid()), Optional.ofNullable(command.workdir()), environment);
    }

    /** Its own status is the command's, 128 and the number after a signal. */
    private static List<String> script(TerminalSize size, int words) {
        return List.of("/usr/bin/script", "-q", "-e", "-f", "-c", text(size, words), "/dev/null");
    }

    private static String text(TerminalSize size, int words) {
        return "stty rows " + size.rows() + " cols " + size.columns()
                + "; set -- " + words(words, number -> "\"$" + WORD + number + "\"")
                + "; " + SHELL + "=$" + SHELL_AFTERWARDS
                + "; unset " + SHELL_AFTERWARDS + " " + words(words, number -> WORD + number)
                + "; exec \"$@\"";
    }

    private static String words(int count, IntFunction<String> word) {
        return IntStream.range(0, count).mapToObj(word).collect(Collectors.joining(" "));
    }

    private static Map<String, String> environment(ExecCommand command) {
        Map<String, String> environment = new HashMap<>(command.env());
        for (int number = 0; number < command.argv().size(); number++) {
            environment.put(WORD + number, command.argv().get(number));
        }
        environment.put(SHELL, TEXT_SHELL);
        environment.put(SHELL_AFTERWARDS, command.env().getOrDefault(SHELL, TEXT_SHELL));
        return environment;
    }
}
