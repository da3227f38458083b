package io.carlos.cli.argv;

import io.carlos.cli.command.CommandTree;
import org.springframework.shell.core.command.Command;
import org.springframework.shell.core.command.ParsedInput;

/** What a command line asks for. */
public sealed interface Invocation {
    /** Whether {@code --verbose} was among the words. */
    boolean verbose();

    record Execute(Command command, ParsedInput input, boolean verbose) implements Invocation {}

    /** @param topic the root for the overview */
    record Help(CommandTree.Node topic, boolean verbose) implements Invocation {}

    record Version(boolean verbose) implements Invocation {}

    /** No command at all. */
    record Nothing(boolean verbose) implements Invocation {}
}
