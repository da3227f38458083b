package io.carlos.agent.launch;

import io.carlos.model.runs.OutputChannel;

/**
 * Where a launcher hands what it read from a command. Both streams share one sink, which keeps the order of the calls;
 * calls may come from two threads at once.
 *
 * <p>Back-pressure: a call returns when the bytes are taken over, and may block for as long as the store is away. The
 * launcher reads no more of that stream meanwhile, so that the command's pipe fills and the command waits. A sink may also
 * block only to slow down a command that prints too much, until {@link #hurry}.
 */
@FunctionalInterface
public interface OutputSink {
    /**
     * Takes over {@code length} bytes; the array may be used again afterwards.
     *
     * @throws InterruptedException the run is being given up, and nothing more will be taken
     */
    void write(OutputChannel channel, byte[] bytes, int offset, int length) throws InterruptedException;

    /**
     * The command has ended, or had its time to: what is left is to be taken as fast as the sink can, and a call that
     * waits only to slow the command down returns. To be called before the streams are waited for, any number of times.
     */
    default void hurry() {}
}
