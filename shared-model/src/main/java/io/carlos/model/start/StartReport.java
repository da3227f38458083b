package io.carlos.model.start;

/** What a start says of itself on its channel. The kernel closes the channel when it executes the command's program. */
public sealed interface StartReport {
    /** The longest report has fewer bytes. */
    int MAX_BYTES = 16;

    /** The byte of {@link #executing}. */
    byte READY = 0;

    /** The byte of a failure's first step; the next steps follow. */
    byte FIRST_STEP = 1;

    /** A step and an error number. */
    int FAILURE_BYTES = 1 + Integer.BYTES;

    /** Everything was done, and what came next was the program. */
    record Executed() implements StartReport {}

    /** @param errno as in {@code errno(3)} */
    record Failed(StartStep step, int errno) implements StartReport {}

    /** It ended without a word. */
    record BrokenOff() implements StartReport {}

    /** Said right before the program is executed, and not the last word when that fails. */
    static byte[] executing() {
        return new byte[] {READY};
    }

    static byte[] failed(StartStep step, int errno) {
        byte[] said = new byte[FAILURE_BYTES];
        said[0] = (byte) (FIRST_STEP + step.ordinal());
        Numbers.put(said, 1, errno);
        return said;
    }

    /** What all that was said amounts to. */
    static StartReport parse(byte[] said) {
        int start = said.length > 0 && said[0] == READY ? 1 : 0;
        if (said.length == start) {
            return start == 1 ? new Executed() : new BrokenOff();
        }
        int step = said[start] - FIRST_STEP;
        if (said.length != start + FAILURE_BYTES || step < 0 || step >= StartStep.values().length) {
            return new BrokenOff();
        }
        return new Failed(StartStep.values()[step], Numbers.get(said, start + 1));
    }
}
