package io.carlos.agent.instance;

import io.carlos.model.time.Scheduler;

/** Looks whether the units that run have ended, each on a task of its own. */
final class Watches {
    private static final String NAME = "watch ";

    private final Tasks tasks;
    private final Units units;
    private final InstanceSettings settings;
    private final Scheduler scheduler;

    Watches(Tasks tasks, Units units, InstanceSettings settings, Scheduler scheduler) {
        this.tasks = tasks;
        this.units = units;
        this.settings = settings;
        this.scheduler = scheduler;
    }

    static boolean isWatch(String taskName) {
        return taskName.startsWith(NAME);
    }

    /** Until the unit is its lane's no more. */
    void watch(Lane lane, RunningUnit unit) {
        tasks.fork(NAME + unit.role() + " " + unit.host(), () -> {
            long nextFiles = scheduler.nanoTime() + settings.filesInterval().toNanos();
            while (lane.isCurrent(unit)) {
                // The files cost a box full of instances too much to be looked for as often.
                boolean filesToo = scheduler.nanoTime() - nextFiles >= 0;
                if (filesToo) {
                    nextFiles = scheduler.nanoTime() + settings.filesInterval().toNanos();
                }
                if (filesToo ? units.seemsEnded(unit) : unit.log().hasEnded()) {
                    lane.ended(unit);
                }
                scheduler.sleep(settings.watchInterval());
            }
        });
    }
}
