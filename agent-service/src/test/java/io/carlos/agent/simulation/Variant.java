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
    /** A pick does not look at the time, though the decision to pick did. */
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
    /** A box takes runs of others for abandoned an hour too early. */
    ABANDONED_TOO_EARLY,
    /** Results are overwritten: the last writer wins. */
    LAST_RESULT_WINS,
    /** A box takes its hold of a run for good, however long it has been away. */
    LEASE_NEVER_ENDS,
    /** A box does not notice that its run was taken from it. */
    TAKING_UNNOTICED,
    /** Nobody takes the run of a box that is gone for abandoned. */
    NEVER_ABANDONED,
    /** A pick does not look at whose the record is by then. */
    PICK_WITHOUT_OWNING,
    /** A command at work is not told of its cancel. */
    CANCEL_UNHEARD,
    /** A run is picked up to half a minute past its deadline. */
    PICK_TOO_LATE,
    /** Boxes learn of runs by their passes alone. */
    MARKER_IGNORED,
    /** An agent does not clear its box of what an earlier start left. */
    NO_BOOT_SWEEP,
    /** A box acts on what it owns though others may have taken it for lost. */
    STALE_BOX_WRITES,
    /** A lost box is not fenced before its instances are taken over. */
    TAKE_OVER_UNFENCED,
    /** A record of a box that was lost is claimed, though the box has begun anew since the last look. */
    CLAIM_WITHOUT_ASKING,
    /** A run of a box that was lost is closed out, though a start since the last look has it. */
    OTHER_START_CLOSED;

    boolean isOfFleets() {
        return switch (this) {
            case STALE_BOX_WRITES, TAKE_OVER_UNFENCED, CLAIM_WITHOUT_ASKING, OTHER_START_CLOSED -> true;
            default -> false;
        };
    }
}
