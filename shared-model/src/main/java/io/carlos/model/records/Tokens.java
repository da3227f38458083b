package io.carlos.model.records;

import java.util.random.RandomGenerator;

/** Random names by which a writer knows its own writes again. */
public final class Tokens {
    private Tokens() {}

    /** 128 random bits as 32 lower-case hex digits. */
    public static String next(RandomGenerator random) {
        StringBuilder token = new StringBuilder(32);
        for (int i = 0; i < 32; i++) {
            token.append(Character.forDigit(random.nextInt(16), 16));
        }
        return token.toString();
    }
}
