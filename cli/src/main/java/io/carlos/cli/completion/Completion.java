package io.carlos.cli.completion;

import java.util.List;

/** What may stand at the cursor. */
public sealed interface Completion {
    Completion NOTHING = new Words(List.of());
    Completion FILES = new Files();

    /** One of these words; none when carlos cannot know. */
    record Words(List<Choice> choices) implements Completion {}

    /** The name of a file. */
    record Files() implements Completion {}

    /** @param description one sentence; empty for a word that needs none */
    record Choice(String word, String description) {}
}
