package io.carlos.agent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The real transitions, submitter, follower, reconcile, worker and chunker, under every kind of trouble a seed can draw. */
class RunsSimulationTest {
    private static final String ONE_SEED = "carlos.simulation.seed";
    private static final int SEEDS = Integer.getInteger("carlos.simulation.seeds", 500);

    @Test
    void every_promise_holds_under_every_seed() {
        if (System.getProperty(ONE_SEED) != null) {
            new World(Long.getLong(ONE_SEED), Variant.AS_IT_IS).play();
            return;
        }
        long launched = 0;
        long began = System.nanoTime();
        for (long seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed, Variant.AS_IT_IS);
            world.play();
            launched += world.ledger().runs().values().stream()
                    .filter(entry -> entry.launches > 0)
                    .count();
        }
        System.out.printf(
                "simulation: %d seeds, %d launches, %d ms%n", SEEDS, launched, (System.nanoTime() - began) / 1_000_000);
        assertThat(launched).isGreaterThan(SEEDS / 4);
    }
}
