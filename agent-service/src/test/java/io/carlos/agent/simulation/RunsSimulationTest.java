package io.carlos.agent.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real transitions, submitter, follower, reconcile, worker and chunker, under every kind of trouble a seed can draw. */
class RunsSimulationTest {
    private static final int SEEDS_TO_CATCH = 2_000;

    private static final String ONE_SEED = "carlos.simulation.seed";
    private static final int SEEDS = Integer.parseInt(System.getenv().getOrDefault("CARLOS_SIMULATION_SEEDS", "500"));

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

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AS_IT_IS")
    void every_broken_variant_is_caught(Variant variant) {
        for (long seed = 0; seed < SEEDS_TO_CATCH; seed++) {
            try {
                new World(seed, variant).play();
            } catch (AssertionError e) {
                System.out.println("simulation: " + variant + " caught by seed " + seed + ": "
                        + e.getMessage().lines().findFirst().orElse(""));
                return;
            }
        }
        fail(variant + " was not caught by " + SEEDS_TO_CATCH + " seeds");
    }
}
