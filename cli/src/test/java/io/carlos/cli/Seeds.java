package io.carlos.cli;

import java.util.Random;

/** Repeats a check with generators of different seeds, and names the seed that broke it. */
public final class Seeds {
    private Seeds() {}

    /** A check of whatever the generator makes. */
    @FunctionalInterface
    public interface Check {
        void with(Random random) throws Exception;
    }

    public static void forEach(int rounds, Check check) {
        for (int seed = 0; seed < rounds; seed++) {
            try {
                check.with(new Random(seed));
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
