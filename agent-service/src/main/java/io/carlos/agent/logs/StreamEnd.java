package io.carlos.agent.logs;

/**
 * How the connections of a finished listener ended.
 *
 * @param cutOff somebody held one open past the bound, and what they write is read no further
 * @param lost bytes may have been sent that no sink took over, by a failure of the agent
 */
public record StreamEnd(boolean cutOff, boolean lost) {}
