package io.carlos.cli.shell;

import io.carlos.cli.command.CommandTree;
import io.carlos.cli.completion.Completion;
import io.carlos.cli.completion.LineCompletion;
import java.util.List;
import org.jline.builtins.Completers.FileNameCompleter;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Offers JLine what {@link LineCompletion} finds. */
final class RegistryCompleter implements Completer {
    private final LineCompletion completion;
    private final Completer files = new FileNameCompleter();

    RegistryCompleter(CommandTree commands) {
        this.completion = new LineCompletion(commands);
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        List<String> before = line.words().subList(0, line.wordIndex());
        String current = line.word().substring(0, line.wordCursor());
        switch (completion.complete(before, current)) {
            case Completion.Words words ->
                words.choices()
                        .forEach(choice -> candidates.add(new Candidate(
                                choice.word(), choice.word(), null, choice.description(), null, null, true)));
            case Completion.Files _ -> files.complete(reader, line, candidates);
        }
    }
}
