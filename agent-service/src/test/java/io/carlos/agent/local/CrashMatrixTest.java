package io.carlos.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.local.CrashTrial.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real agent process over the directory store, killed with SIGKILL at the points around its calls to store, disk and
 * launcher, at one after the other, and started again; after each, the promises hold.
 */
class CrashMatrixTest {
    /** Else a sample: between the end of a call and the beginning of the next nothing durable happens. */
    private static final boolean ALL = "all".equals(System.getenv("CARLOS_CRASH_MATRIX"));

    /** The points of an agent that closes out what another start has left; more do no harm. */
    private static final int RECOVERY_POINTS = 20;

    /** Shares no factor with the number of points, so that all of them come up, with first crashes of every kind. */
    private static final int RECOVERY_STEP = 7;

    /** At the earliest of these the run is picked, and nobody may execute it again. */
    private static final int FIRST_AFTER_PICK = 16;

    @TempDir
    Path directory;

    @Test
    void without_a_crash_the_command_has_its_own_end_and_all_of_its_output() throws Exception {
        try (CrashTrial trial = trial(directory)) {
            Ended ended = trial.end();

            assertComplete(trial.log(), ended);
            assertThat(launches(directory)).isEqualTo(1);
        }
    }

    @Test
    void whatever_the_point_of_the_crash_the_command_runs_at_most_once_and_the_run_ends_with_its_output()
            throws Exception {
        int point = 0;
        int executed = 0;
        int interrupted = 0;
        boolean crashed = true;
        while (crashed) {
            point += ALL ? 1 : 2;
            Path work = Files.createDirectory(directory.resolve("point-" + point));
            try (CrashTrial trial = trial(work)) {
                crashed = trial.agentDiesAt(point);
                executed += launches(work);
                interrupted += assertKept(trial, work) ? 0 : 1;
            }
        }
        System.out.println("crash matrix: " + point + " points, " + executed + " launches before the crash, "
                + interrupted + " runs interrupted");
        assertThat(point).as("points that were reached").isGreaterThan(30);
        assertThat(executed).as("commands that ran before the crash").isPositive();
        assertThat(interrupted).as("runs that a later start closed out").isPositive();
    }

    @Test
    void whatever_the_point_at_which_the_next_start_dies_too_the_one_after_it_ends_the_run() throws Exception {
        int died = 0;
        int trials = ALL ? RECOVERY_POINTS : 7;
        for (int i = 0; i < trials; i++) {
            int second = 1 + (i + 1) * RECOVERY_STEP % RECOVERY_POINTS;
            Path work = Files.createDirectory(directory.resolve("recovery-" + second));
            try (CrashTrial trial = trial(work)) {
                trial.agentDiesAt(FIRST_AFTER_PICK + i);
                died += trial.agentDiesAt(second) ? 1 : 0;
                assertKept(trial, work);
            }
        }
        assertThat(died).as("deaths of the recovering agent").isGreaterThan(trials / 2);
    }

    /** @return whether the run had its own end */
    private static boolean assertKept(CrashTrial trial, Path work) throws Exception {
        int before = launches(work);
        long stored = trial.lastStored();

        Ended ended = trial.end();

        String log = trial.log();
        assertThat(launches(work)).as(log).isBetween(before, 1);
        assertThat(ended.lastSeq()).as(log).isEqualTo(ended.result().lastSeq()).isGreaterThanOrEqualTo(stored);
        if (ended.result().interrupted().isEmpty()) {
            assertThat(launches(work)).as(log).isEqualTo(1);
            assertComplete(log, ended);
            return true;
        }
        assertThat("out\nmore\n").as(log).startsWith(ended.out());
        assertThat("err\n").as(log).startsWith(ended.err());
        return false;
    }

    private static void assertComplete(String log, Ended ended) {
        assertThat(ended.result().interrupted() + ended.result().refused())
                .as(log)
                .isEmpty();
        assertThat(ended.result().exit()).as(log).isEqualTo(7);
        assertThat(ended.out()).as(log).isEqualTo("out\nmore\n");
        assertThat(ended.err()).as(log).isEqualTo("err\n");
    }

    private static CrashTrial trial(Path work) throws Exception {
        String script = "echo launched >> " + work.resolve("launches") + "; echo out; echo err >&2; echo more; exit 7";
        return new CrashTrial(work, List.of("sh", "-c", script));
    }

    private static int launches(Path work) throws IOException {
        Path file = work.resolve("launches");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }
}
