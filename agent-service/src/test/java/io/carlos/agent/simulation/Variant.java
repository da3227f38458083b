package io.carlos.agent.simulation;

/**
 * The code as it is, and ways in which it could be wrong. Each broken variant is the real code behind a port that does what
 * code with that bug would do; the simulation must notice every one of them.
 */
enum Variant {
    AS_IT_IS,
    /** The record says done first, and the result is stored after it. */
    DONE_BEFORE_RESULT,
    /** Writers all use one token, so each takes another's write for its own whose answer was lost. */
    NO_WRITER_TOKEN,
    /** A box whose clock lags by an hour never finds a run too old to pick. */
    PICK_PAST_DEADLINE,
    /** Chunks are acknowledged before they are durable. */
    CHUNKS_IN_BACKGROUND,
    /** A failed put of a chunk is taken for a success. */
    CHUNK_DROPPED,
    /** A chunk whose answer was lost is stored once more under the next seq. */
    CHUNK_REPEATED,
    /** An agent takes what an earlier start of it had picked for queued, and so executes it again. */
    SECOND_BOOT_EXECUTES,
    /** The last look before the launch does not see a cancel. */
    CANCEL_IGNORED_IN_PREPARE,
    /** A launch that failed is tried once more, though the first may have started something. */
    LAUNCH_RETRIED,
    /** A box takes runs of others for abandoned an hour too early: its clock is ahead, and it asks no other. */
    ABANDONED_TOO_EARLY,
    /** Results are overwritten: the last writer wins. */
    LAST_RESULT_WINS
}
