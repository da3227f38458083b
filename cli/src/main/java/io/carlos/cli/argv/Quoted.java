package io.carlos.cli.argv;

import io.carlos.cli.console.Printable;

/** A word of the user's in a sentence. */
final class Quoted {
    private Quoted() {}

    static String of(String word) {
        return "\"" + Printable.of(word) + "\"";
    }
}
