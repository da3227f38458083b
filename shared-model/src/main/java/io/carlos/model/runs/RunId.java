package io.carlos.model.runs;

import io.carlos.model.names.InvalidNameException;
import java.util.random.RandomGenerator;

/** The name of one run: {@code run_} and 26 characters of {@code [a-z2-7]}, 130 random bits. */
public record RunId(String value) {
    private static final String PREFIX = "run_";
    private static final int RANDOM_CHARACTERS = 26;
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

    /** @throws InvalidNameException when the text is no run id */
    public RunId {
        boolean valid = value.startsWith(PREFIX) && value.length() == PREFIX.length() + RANDOM_CHARACTERS;
        for (int i = PREFIX.length(); valid && i < value.length(); i++) {
            valid = ALPHABET.indexOf(value.charAt(i)) >= 0;
        }
        if (!valid) {
            throw new InvalidNameException(
                    "a run id", value, "it is run_ and 26 characters of the letters a to z and the digits 2 to 7");
        }
    }

    public static RunId of(String value) {
        return new RunId(value);
    }

    /** @param random a cryptographic source wherever ids of several processes meet */
    public static RunId random(RandomGenerator random) {
        StringBuilder id = new StringBuilder(PREFIX);
        for (int i = 0; i < RANDOM_CHARACTERS; i++) {
            id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new RunId(id.toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
