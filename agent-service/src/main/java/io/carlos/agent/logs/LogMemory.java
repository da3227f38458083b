package io.carlos.agent.logs;

/**
 * What the buffers of a box may hold together. Nobody is asked for room: while it is full, each buffer that takes a line gives up what it
 * holds beyond its share. So the box holds twice the bound at most, half of it by buffers that were larger and take nothing more.
 */
final class LogMemory {
    private final long bound;
    private long bytes;
    private int buffers;

    LogMemory(long bound) {
        this.bound = bound;
    }

    synchronized void enter() {
        buffers++;
    }

    synchronized void leave(long held) {
        buffers--;
        bytes -= held;
    }

    synchronized void add(long change) {
        bytes += change;
    }

    /** How much a buffer may hold right now. */
    synchronized long share() {
        return bytes > bound ? bound / Math.max(buffers, 1) : Long.MAX_VALUE;
    }
}
