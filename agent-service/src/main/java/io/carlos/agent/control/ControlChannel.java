package io.carlos.agent.control;

import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.SeedAnswer;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import java.time.Duration;
import java.util.List;

/**
 * The verbs of the box's control service. Each blocks until it is answered; any thread may call any, and a stop waits for no
 * other verb.
 *
 * <p>Each throws {@link ControlException} when it was refused, failed, or was never answered; what it tells of what runs
 * is in its {@link ControlException#outcome}.
 */
public interface ControlChannel {
    /**
     * How long the control service may take to begin what it is asked to start, over a restart of its own: it refuses a
     * start that it comes to read later. So once {@link #startCmd} has ended without an answer, its start begins within this time
     * or never. {@link #start} and {@link #seed} may begin as much later as the service has them wait for other calls of systemd.
     */
    Duration START_WINDOW = Duration.ofSeconds(30);

    /** @param role run or sidecar */
    InvocationId start(Host host, Role role, MemoryTier memory) throws ControlException, InterruptedException;

    /** Returns when the seed has ended, well or not, and nothing of it is left. */
    SeedAnswer seed(Host host, MemoryTier memory) throws ControlException, InterruptedException;

    /** Starts the one-off command whose launch file is in place; its end is {@link #awaitCmd}'s to tell. */
    InvocationId startCmd(Host host, MemoryTier memory) throws ControlException, InterruptedException;

    /**
     * Waits until the command has ended and none of its processes lives. How it ended is the status file's to tell; the
     * answer's own status is worth something only where there is none.
     *
     * @param wait at most {@link io.carlos.model.control.ControlApi#MAX_WAIT}, in whole seconds
     * @return where the command is when it ended or the wait was over
     */
    CmdAnswer awaitCmd(Host host, InvocationId invocation, Duration wait) throws ControlException, InterruptedException;

    /** Returns when no process of that unit is left, which takes up to a minute for one that ignores SIGTERM. */
    void stop(Host host, Role role) throws ControlException, InterruptedException;

    /** Forgets that the unit failed. */
    void reset(Host host, Role role) throws ControlException, InterruptedException;

    /**
     * Stops every unit of every host.
     *
     * @return the names of the units that were stopped, sorted
     * @throws UnsweptException when some did not stop, naming each; all others have
     */
    List<String> sweep() throws ControlException, InterruptedException;

    /** What the probe last found; it says by itself whether the box is ready. */
    ProbeReport probe() throws ControlException, InterruptedException;
}
