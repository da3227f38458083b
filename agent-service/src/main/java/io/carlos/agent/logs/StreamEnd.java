package io.carlos.agent.logs;

/**
 * How the connections of a finished listener ended.
 *
 * @param cutOff one was read no further, since somebody held it open past the bound, or wrote more after the finish than a socket holds
 * @param lost bytes may have been sent that no sink took over, by a failure of the agent
 */
public record StreamEnd(boolean cutOff, boolean lost) {}
