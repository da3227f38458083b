package io.carlos.guest.exec;

import io.carlos.model.linux.process.ChildProcess;
import io.carlos.model.linux.process.EndedChild;
import io.carlos.model.linux.process.OrphanAdoption;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessCallException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The children of the JVM that runs the tests: two owners of every wait would take the ends of each other's. Those that
 * other tests start with the JDK are left to it; they alone are in the session of the JVM.
 */
final class OneReaper {
    static final Children CHILDREN = new Children(OneReaper::awaitAny, () -> {
        throw new IllegalStateException("the reaper of the tests is broken");
    });

    private static final int GONE = -1;
    private static final long PAUSE_NANOS = 1_000_000;

    static {
        try {
            OrphanAdoption.adopt();
        } catch (ProcessCallException e) {
            throw new IllegalStateException(e);
        }
        CHILDREN.startReaping();
    }

    private OneReaper() {}

    private static Optional<EndedChild> awaitAny() throws ProcessCallException {
        int own = session((int) ProcessHandle.current().pid());
        Optional<EndedChild> ended = ChildProcess.awaitAny();
        while (ended.isPresent() && isOfJdk(ended.get(), own)) {
            LockSupport.parkNanos(PAUSE_NANOS);
            ended = ChildProcess.awaitAny();
        }
        return ended;
    }

    private static boolean isOfJdk(EndedChild ended, int own) throws ProcessCallException {
        int session = session(ended.child().pid());
        return session == own || session == GONE;
    }

    private static int session(int pid) throws ProcessCallException {
        return ProcFs.stat(pid).map(process -> process.session()).orElse(GONE);
    }
}
