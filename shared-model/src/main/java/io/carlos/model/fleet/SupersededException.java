package io.carlos.model.fleet;

/** A newer agent has started under this box's name; this one may not act on anything any more. */
public final class SupersededException extends Exception {
    private static final long serialVersionUID = 1L;

    SupersededException(Heartbeat mine, Heartbeat newest) {
        super("box " + mine.box() + " of region " + mine.region() + ": an agent with epoch " + newest.epoch()
                + " has started, this one has epoch " + mine.epoch()
                + ": give each box a name of its own, and end one of the two");
    }
}
