package io.carlos.agent.simulation;

import java.util.Random;

/**
 * Which kinds of trouble a seed has besides those of the store, drawn once; not all at a time, so that each is also seen
 * without what the others hide.
 *
 * @param crashes agents die, at any call and otherwise, and start again
 * @param boxGone one of two boxes dies for good
 * @param freezes agents stop for seconds to minutes, and go on
 * @param clockJumps the wall clocks of agents are set
 * @param slowStaging putting the files of a run in place takes up to minutes
 * @param moves instances are given to other boxes, or to whichever claims them
 * @param scribbles records are written by others, and put into the trash and taken out
 * @param remakes records are deleted and made again
 */
record Troubles(
        boolean crashes,
        boolean boxGone,
        boolean freezes,
        boolean clockJumps,
        boolean slowStaging,
        boolean moves,
        boolean scribbles,
        boolean remakes) {
    static final Troubles NONE = new Troubles(false, false, false, false, false, false, false, false);

    static Troubles draw(Random random) {
        return new Troubles(
                random.nextInt(3) != 0,
                random.nextInt(6) == 0,
                random.nextInt(4) == 0,
                random.nextInt(4) == 0,
                random.nextInt(4) == 0,
                random.nextInt(4) == 0,
                random.nextInt(6) == 0,
                random.nextInt(8) == 0);
    }
}
