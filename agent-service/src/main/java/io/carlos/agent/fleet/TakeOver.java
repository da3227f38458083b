package io.carlos.agent.fleet;

/** Who moves the instances of a lost box. */
public enum TakeOver {
    /** An operator, by hand. */
    OPERATOR,
    /** Any other box of the region with room, which fences the lost one first. */
    AUTOMATIC
}
