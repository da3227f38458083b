package io.carlos.model.testing;

import java.util.Random;

/** Checks many generated inputs, and names the seed of the one that failed. */
public final class Seeded {
    private static final String SEED_PROPERTY = "carlos.test.seed";
    private static final long FIRST_SEED = Long.getLong(SEED_PROPERTY, 20_260_101L);

    private Seeded() {}

    /** A check of what one random source generates. */
    @FunctionalInterface
    public interface Check {
        void accept(Random random) throws Exception;
    }

    /** Calls the check with as many random sources, each of a seed of its own. */
    public static void check(int times, Check check) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + times; seed++) {
            try {
                check.accept(new Random(seed));
            } catch (Exception | AssertionError e) {
                throw new AssertionError("failed; repeat it with -D" + SEED_PROPERTY + "=" + seed, e);
            }
        }
    }
}
