package io.carlos.agent.runs;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Seed;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a run may still be launched, by its newest record: asked before it is staged, and again after. Pure. */
final class Preparation {
    private Preparation() {}

    /**
     * @param record the newest; null when there is none any more
     * @return how the run ends without a launch; empty when nothing is in its way
     */
    static Optional<Ending> check(RunRequest request, @Nullable InstanceRecord record, Pick pick) {
        ActiveRun run = record == null ? null : record.activeRun();
        if (record == null || run == null || !pick.holds(run)) {
            return Optional.of(Ending.interrupted("the run was taken away", "its record names another owner"));
        }
        if (run.state() == ActiveRun.State.CANCEL) {
            return Optional.of(Ending.cancelledBeforeLaunch());
        }
        if (!record.incarnation().equals(request.incarnation())) {
            return Optional.of(Ending.refused("incarnation", record.host() + " was deleted and made again"));
        }
        Seed seed = record.seed();
        if (seed != null && seed.isUncommittedImport()) {
            return Optional.of(Ending.refused("import", "the import of " + record.host() + " is not committed yet"));
        }
        return Optional.empty();
    }
}
