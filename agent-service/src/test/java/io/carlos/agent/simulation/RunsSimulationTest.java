package io.carlos.agent.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real transitions, submitter, follower, reconcile, worker and chunker, under every kind of trouble a seed can draw. */
class RunsSimulationTest {
    private static final int SEEDS_TO_CATCH = 2_000;

    /** Between a look at another box and the next, a box seldom begins anew and picks a run. */
    private static final int FLEETS_TO_CATCH = 8_000;

    private static final String ONE_SEED = "carlos.simulation.seed";
    private static final String TROUBLE = "carlos.simulation.trouble";
    private static final int SEEDS = Integer.parseInt(System.getenv().getOrDefault("CARLOS_SIMULATION_SEEDS", "1000"));

    @Test
    void every_promise_holds_under_every_seed() {
        if (System.getProperty(ONE_SEED) != null) {
            Trouble trouble = Trouble.valueOf(System.getProperty(TROUBLE, Trouble.ALL.name()));
            new World(Long.getLong(ONE_SEED), Variant.AS_IT_IS, trouble).play();
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

    @Test
    void when_the_store_is_back_either_the_box_goes_on_or_somebody_closes_its_run_out_and_never_both() {
        int wentOn = 0;
        int taken = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed, Variant.AS_IT_IS, Trouble.LONG_OUTAGE);
            world.play();
            for (SeenRun entry : world.ledger().runs().values()) {
                wentOn += entry.renewals > 0 && !entry.taken ? 1 : 0;
                taken += entry.taken ? 1 : 0;
            }
        }
        System.out.printf("simulation: %d runs were renewed after an outage, %d were taken%n", wentOn, taken);
        assertThat(wentOn).isPositive();
        assertThat(taken).isPositive();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "AS_IT_IS")
    void every_broken_variant_is_caught(Variant variant) {
        int seeds = variant.isOfFleets() ? FLEETS_TO_CATCH : SEEDS_TO_CATCH;
        for (long number = 0; number < seeds; number++) {
            // A bug of fleets shows only where boxes form one.
            long seed = variant.isOfFleets() ? 4 * number + 2 : number;
            try {
                new World(seed, variant, seed % 4 == 3 ? Trouble.LONG_OUTAGE : Trouble.ALL).play();
            } catch (AssertionError e) {
                System.out.println("simulation: " + variant + " caught by seed " + seed + ": "
                        + e.getMessage().lines().findFirst().orElse(""));
                return;
            }
        }
        fail(variant + " was not caught by " + seeds + " seeds");
    }
}
