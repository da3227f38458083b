package io.carlos.agent.logs;

/**
 * How the connections of a finished listener ended.
 *
 * @param cutOff somebody who is not of the unit held one open past the bound, or went on writing to it; it was read no further
 * @param lost bytes may have been sent that no sink took over, by a failure of the agent
 */
public record StreamEnd(boolean cutOff, boolean lost) {}
