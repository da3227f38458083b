package io.carlos.agent.runs;

import io.carlos.model.time.SystemScheduler;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Whoever raises at the same time, everybody sees one first reason, and a lost lease above it. */
@Param(name = "reason", gen = IntGen.class, conf = "0:2")
public class StopSignalLincheckTest {
    private static final List<StopReason> REASONS =
            List.of(new StopReason.Cancelled(), new StopReason.TimedOut(), new StopReason.LeaseLost());
    private static final long LONG_AGO = Long.MIN_VALUE / 2;

    private final StopSignal signal = new StopSignal(new SystemScheduler());

    @Test
    void everyInterleavingIsAnOrderOfTheCalls() {
        new ModelCheckingOptions()
                .iterations(60)
                .invocationsPerIteration(50)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .sequentialSpecification(SequentialSignal.class)
                .check(StopSignalLincheckTest.class);
    }

    @Operation
    public void raise(@Param(name = "reason") int reason) {
        signal.raise(REASONS.get(reason));
    }

    @Operation
    public void commandEnded() {
        signal.commandEnded();
    }

    @Operation
    public int reason() {
        return indexOf(signal.reason());
    }

    /** A wait whose time is over before it begins only looks. */
    @Operation
    public String look() throws InterruptedException {
        StopSignal.Seen seen = signal.await(LONG_AGO);
        return seen.commandEnded() + " " + indexOf(seen.reason());
    }

    private static int indexOf(StopReason reason) {
        return reason == null ? SequentialSignal.NONE : REASONS.indexOf(reason);
    }

    /** The promise for one thread. */
    public static final class SequentialSignal {
        private static final int NONE = -1;
        private static final int LEASE_LOST = 2;

        private boolean ended;
        private int first = NONE;

        public void raise(int reason) {
            first = first == NONE || reason == LEASE_LOST ? reason : first;
        }

        public void commandEnded() {
            ended = true;
        }

        public int reason() {
            return first;
        }

        public String look() {
            return ended + " " + first;
        }
    }
}
