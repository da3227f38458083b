package io.carlos.model.fleet;

import io.carlos.model.json.InvalidDocumentException;

/** This start of a box's agent may not act on anything any more. */
public final class SupersededException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** What came before it. */
    public enum Reason {
        /** Another agent has started under the box's name since. */
        NEWER_AGENT,
        /** Another took the box for lost, and with it what it owned; a new start is welcome. */
        FENCED
    }

    SupersededException(Heartbeat mine, Heartbeat newest) {
        super(message(mine, newest));
        this.reason = newest.fencedBy() != null ? Reason.FENCED : Reason.NEWER_AGENT;
    }

    /** What is there in place of the heartbeat is none that this version of Carlos can read. */
    SupersededException(Heartbeat mine, InvalidDocumentException found) {
        super(
                "box " + mine.box() + " of region " + mine.region()
                        + ": another has stored something else in place of its heartbeat: " + found.getMessage()
                        + ": give each box a name of its own, and end one of the two",
                found);
        this.reason = Reason.NEWER_AGENT;
    }

    private static String message(Heartbeat mine, Heartbeat newest) {
        String box = "box " + mine.box() + " of region " + mine.region();
        return newest.fencedBy() != null
                ? box + ": " + newest.fencedBy() + " took it for lost, since its heartbeat stayed the same for "
                        + newest.lostAfterS() + " s"
                : box + ": an agent with epoch " + newest.epoch() + " has started, this one has epoch " + mine.epoch()
                        + ": give each box a name of its own, and end one of the two";
    }

    public Reason reason() {
        return reason;
    }
}
