package io.carlos.agent.simulation;

import io.carlos.model.time.SimulatedProcess;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** What happens to the machines of the agents, which go on all the same, in troubled times. */
final class SimulatedNature {
    private final World world;
    private final List<SimulatedBox> boxes;

    SimulatedNature(World world, List<SimulatedBox> boxes) {
        this.world = world;
        this.boxes = boxes;
    }

    void live() {
        if (world.isFleet()) {
            again("sleeps", process -> {
                Duration duration = Duration.ofSeconds(20 + world.random().nextInt(100));
                world.trace("an agent sleeps for " + duration);
                process.freeze(duration);
            });
        }
        if (world.troubles().freezes()) {
            again("freezes", process -> {
                Random random = world.random();
                int most = random.nextBoolean() ? 30_000 : 20 * 60_000;
                Duration duration = Duration.ofMillis(1_000 + random.nextInt(most - 1_000));
                world.trace("an agent freezes for " + duration);
                process.freeze(duration);
            });
        }
        if (world.troubles().clockJumps()) {
            again("clocks", process -> process.setClock(world.within(World.MAX_JUMP)));
        }
    }

    @FunctionalInterface
    private interface Blow {
        void hit(SimulatedProcess process);
    }

    private void again(String what, Blow blow) {
        world.network().fork(what, () -> {
            while (true) {
                world.pause(Duration.ofMillis(1 + world.random().nextInt(120_000)));
                if (world.isCalm()) {
                    return;
                }
                boxes.get(world.random().nextInt(boxes.size())).process().ifPresent(blow::hit);
            }
        });
    }
}
