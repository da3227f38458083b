package io.carlos.agent.container.microvm;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import java.time.Duration;
import java.util.Map;

/**
 * The supervisor within one machine. For any number of threads; every call blocks its thread and can be interrupted,
 * which cancels it and so kills its command.
 */
public interface Guest extends AutoCloseable {
    /** What the guest says of itself. */
    record Health(String version, boolean networkUp, boolean workspaceMounted, byte[] bootNonce) {}

    /** @throws CommandException when the guest does not answer within the bound */
    Health health(Duration bound) throws CommandException, InterruptedException;

    /**
     * Opens the guest for commands, which can be done once.
     *
     * @param defaultUid unsigned, and not 0
     */
    void provision(int defaultUid, Map<String, String> baseEnvironment) throws CommandException, InterruptedException;

    /**
     * Runs a command to its end.
     *
     * @throws CommandException when it could not be attempted or carried through; a bad end is in the answer
     */
    ExecOutput exec(ExecSpec spec) throws CommandException, InterruptedException;

    /**
     * Starts a command with its streams attached; when this returns, its program has been executed.
     *
     * @throws CommandException when it could not be
     */
    StreamingExec execStreaming(StreamingExecSpec spec) throws CommandException, InterruptedException;

    /**
     * Asks the guest to end its commands and then itself; it has agreed when this returns.
     *
     * @throws CommandException also when it does not answer within the bound
     */
    void stopGuest(Duration bound) throws CommandException, InterruptedException;

    /** Cancels what is under way. */
    @Override
    void close();
}
