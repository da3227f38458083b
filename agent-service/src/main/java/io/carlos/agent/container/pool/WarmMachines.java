package io.carlos.agent.container.pool;

import java.io.IOException;

/**
 * What a pool needs of the machines that it holds.
 *
 * @param <M> names one
 */
public interface WarmMachines<M> {
    /** Returns when the machine is ready to be told for whom it is. */
    M boot() throws IOException, InterruptedException;

    /** Whether there is room for one more, which nobody else waits for. */
    boolean hasRoom();

    /** Whether others wait for room, which a machine that waits for somebody takes from them. */
    boolean isRoomAwaited();

    /** Whether it could be given to somebody: machines may end while they wait. */
    boolean isReady(M machine);

    /** Leaves nothing of one that nobody was given. */
    void discard(M machine) throws IOException, InterruptedException;
}
