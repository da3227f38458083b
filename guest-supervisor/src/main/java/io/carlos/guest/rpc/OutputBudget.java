package io.carlos.guest.rpc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of output this supervisor collects for all calls together. Each call may collect far more than its
 * fair part of the heap; without a common bound, a few of them at once would take memory from everybody.
 */
final class OutputBudget {
    /** What is collected is held once more while it is sent, and the supervisor needs memory besides. */
    private static final int PART_OF_HEAP = 4;

    private final AtomicLong left;

    OutputBudget(long bytes) {
        this.left = new AtomicLong(bytes);
    }

    /** A part of this JVM's heap, though never less than one call may need. */
    static OutputBudget ofThisProcess() {
        return new OutputBudget(
                Math.max(2L * UnaryExec.OUTPUT_LIMIT, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /** Nothing at first. */
    Share share() {
        return new Share();
    }

    /** What one stream has taken, for one thread at a time. */
    final class Share {
        private final AtomicLong taken = new AtomicLong();

        /**
         * Takes more, or else gives everything back in the same step: of many shares that grow together some find room,
         * instead of all being refused because of one another.
         *
         * @return whether there was room
         */
        boolean takeOrGiveBack(int bytes) {
            long held = taken.get();
            boolean room = left.getAndUpdate(now -> now >= bytes ? now - bytes : now + held) >= bytes;
            taken.set(room ? held + bytes : 0);
            return room;
        }

        /** All of it; nothing is held any more. */
        void giveBack() {
            left.addAndGet(taken.getAndSet(0));
        }
    }
}
